"""Typed meaning becomes code on one flat list of integers.

fold       options are worked out, definitions written out
evaluate   what depends on nothing but given values
layout     where everything lies in the state
tabulate   conditions on cards as tables of masks
quote      code as trees, with places in the rule file
runtime    the few functions that emitted code calls
shapes     the shapes of picks as tables
sums       what numbers add up to
chance     what chance gave, noted or prescribed
unit       what the functions of a program share
conditions what conditions ask
frame      a function under way
masks      sets and conditions as masks
emit       expressions
transport  moving and showing cards
effects    statements
several    what may be picked next of several cards
choices    what may be chosen, and what a choice does
hone       a last look at the fused form, for interpreted code
fuse       a whole deal by chance as one function
assembly   all functions of a program
program    a game as code, and how to step through a deal
answers    questions about a state, compiled when they are first wanted
"""
