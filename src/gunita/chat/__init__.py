"""One turn of a chat: the story, the model's answer or memory's, and the question that is still open."""
