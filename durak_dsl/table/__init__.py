"""A position and what may happen to it.

cards, values    texts of cards and values, both ways
choosing         whole moves out of single choices
moves            whole moves and their notation
snapshot         what a state says about cards
game             rules with their options settled
history          what is kept of a deal
table            one deal under way; `rounds` says where it is back at its beginning
match            deals one after the other
legality         why a move is not legal
position         positions laid out by hand
questions        expressions asked about a table
examples         those of a rule file, run; `coverage` is what they leave unproven
record, replay   a deal written down, and played again
watching, cells, cases, memory, counting, knowledge
                 what one player knows, and tables that agree with it
"""
