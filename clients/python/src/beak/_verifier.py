# Translated from _async_verifier.py by `npm run clients:python`: do not edit.
"""x"""
