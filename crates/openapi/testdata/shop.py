"""A little shop, whose document `shop.json` FastAPI wrote: `python shop.py > shop.json` (FastAPI 0.165)."""

import json
from enum import Enum
from typing import Annotated, Optional

from fastapi import FastAPI, Header, HTTPException, Path, Query
from pydantic import BaseModel, Field

app = FastAPI(title="Shop", version="1.0.0")


class Category(str, Enum):
    books = "books"
    games = "games"
    tools = "tools"


class Order(str, Enum):
    asc = "asc"
    desc = "desc"


class Item(BaseModel):
    id: int
    name: str
    category: Category
    price: float
    stock: int
    note: Optional[str] = None


class ItemPage(BaseModel):
    items: list[Item]
    total: int


class NewItem(BaseModel):
    name: str = Field(min_length=1, max_length=40)
    price: float = Field(gt=0, le=1000)
    category: Category = Category.books


FIRST = [
    Item(id=n, name=f"{'Thing' if n % 2 else 'thing'} {n}", category=list(Category)[n % 3], price=(n * 37) % 100 + 0.5, stock=n % 5)
    for n in range(1, 41)
]
ITEMS = list(FIRST)


@app.get("/items")
def list_items(
    min_price: Annotated[Optional[float], Query(ge=0, le=1000)] = None,
    max_price: Annotated[Optional[float], Query(ge=0, le=1000)] = None,
    category: Optional[Category] = None,
    q: Annotated[Optional[str], Query(max_length=20)] = None,
    sort: Annotated[str, Query(pattern="^(id|price|name)$")] = "id",
    order: Order = Order.asc,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> ItemPage:
    """The items of the shop."""
    found = [i for i in ITEMS if min_price is None or i.price >= min_price]
    found = [i for i in found if max_price is None or i.price <= max_price]
    found = [i for i in found if category is None or i.category == category]
    found = [i for i in found if q is None or q.lower() in i.name.lower()]
    found.sort(key=lambda item: getattr(item, sort), reverse=order is Order.desc)
    return ItemPage(items=found[offset : offset + limit], total=len(found))


@app.get("/items/{item_id}")
def get_item(item_id: Annotated[int, Path(ge=1)], x_currency: Annotated[str, Header(pattern="^[A-Z]{3}$")] = "EUR") -> Item:
    for item in ITEMS:
        if item.id == item_id:
            return item
    raise HTTPException(404)


@app.get("/items/{item_id}/price")
def get_price(item_id: int, quantity: Annotated[int, Query(gt=0, lt=1000)]) -> float:
    return get_item(item_id).price * quantity


@app.get("/categories")
def list_categories() -> list[Category]:
    return list(Category)


@app.get("/reviews")
def list_reviews(page: Annotated[int, Query(ge=1)] = 1, size: Annotated[int, Query(ge=1, le=50)] = 10) -> list[Item]:
    return ITEMS[(page - 1) * size : page * size]


@app.post("/items", status_code=201)
def create_item(item: NewItem) -> Item:
    created = Item(id=max((known.id for known in ITEMS), default=0) + 1, stock=0, **item.model_dump())
    ITEMS.append(created)
    return created


@app.delete("/items/{item_id}", status_code=204)
def delete_item(item_id: Annotated[int, Path(ge=1)]) -> None:
    ITEMS.remove(get_item(item_id))


@app.post("/reset", status_code=204, include_in_schema=False)
def reset() -> None:
    ITEMS[:] = FIRST


if __name__ == "__main__":
    print(json.dumps(app.openapi(), indent=1))
