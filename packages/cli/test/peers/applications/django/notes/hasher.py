from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    algorithm = "quick_pbkdf2_sha256"
    iterations = 1000
