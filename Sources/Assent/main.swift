print("assent")
