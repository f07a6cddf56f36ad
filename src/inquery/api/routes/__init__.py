"""The routes of the API, a file for each subject; a new one is named here."""

from inquery.api.routes import (
    audit,
    auth,
    catalogue,
    connections,
    dictionaries,
    engines,
    feedback,
    first_look,
    grants,
    groups,
    health,
    keys,
    knowledge,
    metrics,
    oidc,
    operate,
    profiles,
    query,
    reports,
    results,
    saved,
    saved_models,
    shares,
    sql,
    threads,
    uploads,
    users,
)

ROOMS = (
    query, results, threads, shares, saved, feedback, connections, first_look, engines, uploads, catalogue, sql, knowledge,
    metrics, dictionaries, profiles, reports, auth,
    oidc, users, groups, keys, grants, audit, operate, saved_models, health,
)  # fmt: skip
