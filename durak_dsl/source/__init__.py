"""Bytes become one resolved document: text, then nodes, then schema, library and overlay, each using only those before it."""
