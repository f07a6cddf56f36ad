"""The routes of the API, a file for each subject; a new one is named here."""

from inquery.api.routes import (
    audit,
    auth,
    catalogue,
    connections,
    engines,
    feedback,
    grants,
    health,
    keys,
    knowledge,
    oidc,
    operate,
    profiles,
    query,
    reports,
    results,
    saved,
    shares,
    sql,
    threads,
    uploads,
    users,
)

ROOMS = (
    query, results, threads, shares, saved, feedback, connections, engines, uploads, catalogue, sql, knowledge, profiles,
    reports, auth,
    oidc, users, keys, grants, audit, operate, health,
)  # fmt: skip
