"""One-line texts become typed meaning, or a list of all that is wrong with them.

syntax       a text as a tree, by `grammar.lark` (the only user of lark)
types        what values there are
ir           the typed meaning: expressions, statements, and a whole game as `Rules`
words        every word that an expression may call
scope        the names that a text may use
expressions  a tree as a typed expression
statements   bodies of statements
clauses      conditions and definitions by named clauses
declare      players, deck, options, zones, variables
totality     every step ends
honesty      nothing hidden is given away
check        a resolved rule file as `Rules`
"""
