"""Many deals, or many positions, looked at together: simulation, trial by play, counting of positions, grids of who beats whom."""
