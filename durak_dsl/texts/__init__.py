"""What people read while they play, in English and Russian: `words` are the program's own, `telling` adds those of the rule files."""
