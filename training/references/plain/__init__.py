"""Plain mentions: ways to point back that name the thing itself and hardly say that it was said before.

"How much was the deposit again?" is a reference by its form. "About the deposit, is it refundable?" is one only where
the history knows of a deposit; such patterns are taught both as references and as fresh questions, so that the query
alone leaves the matter open and the history decides.
"""
