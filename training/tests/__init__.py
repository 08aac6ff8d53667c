"""Proofs of the training code; they need the training extras and run by `make test-training`."""
