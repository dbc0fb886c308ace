def problems(work):
    return []
