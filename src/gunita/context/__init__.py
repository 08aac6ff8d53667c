"""What goes before a model: window, budget, prompt and receipt, all pure."""
