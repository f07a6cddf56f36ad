"""Custom analysts."""

from __future__ import annotations

import asyncio
import datetime

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.access import sees_profile
from inquery.api.bodies import ChangedProfile, NewProfile
from inquery.api.identity import User
from inquery.api.rights import RIGHTS, Browser, ProfileMaker
from inquery.api.shared import Here
from inquery.errors import Forbidden, NotFound, Text
from inquery.store.profiles import ProfileContent, Profiles, StoredProfile

router = APIRouter(prefix="/profiles", tags=["profiles"])


class ProfileInfo(BaseModel):
    """One version of a custom analyst."""

    id: str
    version: int
    name: str
    mine: bool
    content: ProfileContent
    created: datetime.datetime


@router.get("")
async def all_profiles(user: Browser, here: Here) -> list[ProfileInfo]:
    """Every custom analyst of databases that you may ask."""
    found = await asyncio.to_thread(Profiles(here.store).list)
    return [_info(each, user) for each in found if await sees_profile(here, user, each)]


@router.post("", status_code=201)
async def add(body: NewProfile, user: ProfileMaker, here: Here) -> ProfileInfo:
    """A new analyst."""
    made = await asyncio.to_thread(lambda: Profiles(here.store).add(body.name, body.content, owner=user.id))
    return _info(made, user)


@router.get("/{profile_id}")
async def one(profile_id: str, user: Browser, here: Here) -> ProfileInfo:
    """The newest version of an analyst."""
    return _info(await _seen(profile_id, user, here), user)


@router.get("/{profile_id}/versions")
async def versions(profile_id: str, user: Browser, here: Here) -> list[ProfileInfo]:
    """Every version, oldest first."""
    known = await _seen(profile_id, user, here)
    return [_info(each, user) for each in await asyncio.to_thread(Profiles(here.store).history, known.id)]


@router.patch("/{profile_id}")
async def change(profile_id: str, body: ChangedProfile, user: ProfileMaker, here: Here) -> ProfileInfo:
    """A new version of an analyst of yours; administrators may change any."""
    known = await _own(profile_id, user, here)
    made = await asyncio.to_thread(lambda: Profiles(here.store).change(known.id, body.content, name=body.name))
    return _info(made, user)


@router.delete("/{profile_id}", status_code=204)
async def remove(profile_id: str, user: ProfileMaker, here: Here) -> Response:
    """Retire an analyst of yours."""
    known = await _own(profile_id, user, here)
    await asyncio.to_thread(Profiles(here.store).remove, known.id)
    return Response(status_code=204)


async def _seen(profile_id: str, user: User, here: Here) -> StoredProfile:
    known = await asyncio.to_thread(Profiles(here.store).get, profile_id)
    if not await sees_profile(here, user, known):
        raise NotFound(profile_id, what=Text("analyst", "分析师"), name=profile_id)
    return known


async def _own(profile_id: str, user: User, here: Here) -> StoredProfile:
    known = await _seen(profile_id, user, here)
    if known.owner != user.id and not user.may(RIGHTS["users"].role):
        raise Forbidden()
    return known


def _info(profile: StoredProfile, user: User) -> ProfileInfo:
    return ProfileInfo(
        id=profile.id,
        version=profile.version,
        name=profile.name,
        mine=profile.owner == user.id,
        content=profile.content,
        created=profile.created,
    )
