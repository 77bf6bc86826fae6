"""Ways to play that give published figures: plain rows of weights, screened on the same rounds."""
