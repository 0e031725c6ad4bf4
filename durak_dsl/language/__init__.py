"""One-line texts become typed meaning, or a list of all that is wrong with them. In the order in which they build on one another:

wrong        the exception with which the checker leaves one text
syntax       a text as a tree, by `grammar.lark` (the only user of lark); `unreadable` says what is wrong with one that is none
types        what values there are
ir           the typed meaning: expressions, statements, and a whole game as `Rules`; `walking` goes through all of it
words        every word that an expression may call
names, scope the names of the whole file, and what is known at one place of it
expressions  a tree as a typed expression, at the end of the chain fitting, literals, operators, collecting
clauses      conditions and definitions by named clauses
statements   bodies of statements; `acts` are the single ones
declare      players, deck, options, zones, variables
shapes       what cards that are picked together look like
definitions, moves
             what the file says under those keys; `order` finds circles
totality     every step ends; `costs` says at what cost
honesty      nothing hidden is given away
usage        what is declared and never used
check        a resolved rule file as `Rules`
"""
