"""Answers by what is asked."""
