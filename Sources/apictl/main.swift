print("apictl")
