"""Prints the records of `posts.json` for json-server: python3 posts.py > posts.json."""

import json

POSTS = [{"id": n, "title": f"{'Post' if n % 2 else 'post'} {n}", "views": n * 37 % 100, "userId": n % 5 + 1} for n in range(1, 61)]
print(json.dumps({"posts": POSTS}, indent=1))
