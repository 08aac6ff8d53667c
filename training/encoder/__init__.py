"""The sentence encoder: its corpus, vocabulary, distillation, export and evaluation."""
