"""References by what a column leaves out: the rest of a table's name, another language's word, who did it, glued words."""

import pytest

from inquery.catalog.joins import with_joins
from inquery.catalog.key_names import is_doer, is_trade
from inquery.sql import Catalog, Column, Table

CROWD = [f"matter_{letter}{other}" for letter in "abcdefgh" for other in "klmnopqr"]
"""As many other tables as make a name that says less mean too much."""


def table(name: str, *columns: str, key: str | tuple[str, ...] = "id", **types: str) -> Table:
    keys = (key,) if isinstance(key, str) else key
    return Table((name,), tuple(Column(c, types.get(c, "integer"), primary_key=c in keys) for c in (*keys, *columns)))


def things(*names: str) -> list[Table]:
    return [table(name, "title", title="text") for name in names]


def edges(tables: list[Table]) -> set[str]:
    joins = with_joins(Catalog("sqlite", tuple(tables))).joins
    return {f"{j.left[-1]}({','.join(j.left_columns)})→{j.right[-1]}({','.join(j.right_columns)})" for j in joins}


FOUND = [
    ("its own table's words", [*things("stats", "warrior_stats", "warrior_skills"), table("warrior_ranks", "skill_id")], "warrior_ranks(skill_id)→warrior_skills(id)"),
    ("of two, that of its own table", [*things("orders_status", "purchase_order_status"), table("orders"), table("purchase_orders", "status_id")], "purchase_orders(status_id)→purchase_order_status(id)"),
    ("a type by its own table", [*things("artist_type"), table("artist", "type")], "artist(type)→artist_type(id)"),
    ("words that overlap", [*things("stock_move_types"), table("stock_moves", "move_type")], "stock_moves(move_type)→stock_move_types(id)"),
    ("two words in the other order", [*things("product_loan", "savings_product"), table("product_mix", "loan_product_id")], "product_mix(loan_product_id)→product_loan(id)"),
    ("words left out between", [*things("loan_repayment_schedule"), table("fee", "loan_schedule_id")], "fee(loan_schedule_id)→loan_repayment_schedule(id)"),
    ("words left out before", [*things("transfer_standing_instructions"), table("runs", "standing_instruction_id")], "runs(standing_instruction_id)→transfer_standing_instructions(id)"),
    ("first letters", [*things("code_value"), table("client", "gender_cv_id")], "client(gender_cv_id)→code_value(id)"),
    ("another language", [*things("projet"), table("tag_list", "fk_project")], "tag_list(fk_project)→projet(id)"),
    ("another language, two words", [*things("facture", "facturedet"), table("credit", "fk_facture_line")], "credit(fk_facture_line)→facturedet(id)"),
    ("a role before another language", [*things("entrepot"), table("product", "fk_default_warehouse")], "product(fk_default_warehouse)→entrepot(id)"),
    ("any deed by somebody", [*things("users", "person"), table("note", "voided_by")], "note(voided_by)→users(id)"),
    ("glued deed", [*things("appuser", "staff"), table("note", "lastmodifiedby_id")], "note(lastmodifiedby_id)→appuser(id)"),
    ("glued user", [*things("appuser"), table("loan", "submittedon_userid")], "loan(submittedon_userid)→appuser(id)"),
    ("a trade", [*things("appuser", "staff"), table("loan", "loan_officer_id")], "loan(loan_officer_id)→staff(id)"),
    ("own key of another thing", [*things("moves"), table("move_meta", "drain", key="move_id")], "move_meta(move_id)→moves(id)"),
    ("not by way of such a key", [*things("moves"), table("move_data", "drain", key="move_id"), table("learned", "move_id")], "learned(move_id)→moves(id)"),
    ("glued ending", [table("currency", key="currencycode"), table("rate", "fromcurrencycode")], "rate(fromcurrencycode)→currency(currencycode)"),
    ("whole numbers named as a table", [*things("area", "artist"), table("label", "begin_area")], "label(begin_area)→area(id)"),
    ("the whole glued key, not its ending", [table("grp", key="groupid"), table("relay_group", key="relay_groupid"), table("relay", "relay_groupid", key="relayid")], "relay(relay_groupid)→relay_group(relay_groupid)"),
    ("upward through a key that is another's", [table("tasks", key="taskid"), table("task_result", "parent_taskid", key="taskid")], "task_result(parent_taskid)→tasks(taskid)"),
    ("upward by a glued key", [table("hosts", key="hostid"), table("found_host", "parent_hostid", key="foundhostid")], "found_host(parent_hostid)→hosts(hostid)"),
    ("one of two ends, numbered", [table("nodes", key="nodeid"), table("edges", "nodeid1", "nodeid2", key="edgeid")], "edges(nodeid2)→nodes(nodeid)"),
    ("one of two ends, told by a word", [*things("pumps"), table("depends", "pump_id_up", "pump_id_down")], "depends(pump_id_down)→pumps(id)"),
    ("one of two ends, without a mark", [table("person", key="person_id"), table("kinship", "person_a", "person_b")], "kinship(person_b)→person(person_id)"),
    ("the table its own is called after, by a shared key", [table("entity", key="entity_id"), table("employee", key="entity_id"), table("employee_pay", "entity_id", "rate")], "employee_pay(entity_id)→employee(entity_id)"),
    ("a code where the key is a number", [table("currency", "code", code="text"), table("loan", "currency_code", currency_code="text")], "loan(currency_code)→currency(code)"),
    ("another row of its own kind", [*things("items", "plan"), table("task", "master_task_id")], "task(master_task_id)→task(id)"),
    ("an order before this one", [table("orders", "previous_order_id", key="order_id")], "orders(previous_order_id)→orders(order_id)"),
    ("a usual word with another", [*things("care_setting"), table("visit", "care_setting")], "visit(care_setting)→care_setting(id)"),
    ("a number within the name", [*things("hl7_source"), table("hl7_queue", "hl7_source")], "hl7_queue(hl7_source)→hl7_source(id)"),
    ("what it means in a table whose words leave no doubt", [*things("rule_criteria", *CROWD), table("rule_criteria_part", "criteria_id"), table("entry", "criteria_id")], "entry(criteria_id)→rule_criteria(id)"),
    ("a glued number", [table("borrowers", key="borrowernumber"), *(table(name, "note", key="borrowernumber") for name in ("patron_photo", "patron_visit")), *things(*CROWD), table("loan", "borrowernumber")], "loan(borrowernumber)→borrowers(borrowernumber)"),
    ("a key whose words are joined otherwise", [table("funds", key="budget_id"), table("request", "budgetid")], "request(budgetid)→funds(budget_id)"),
    ("a key and one more mark", [table("branches", key="branchcode", branchcode="varchar(10)"), table("stage", "branchcode_id", branchcode_id="varchar(10)")], "stage(branchcode_id)→branches(branchcode)"),
    ("behind two words of its part of a system", [*things("hs_hr_country", *(f"hs_hr_{each}" for each in "abcdefgh"), *CROWD), table("office", "country_id")], "office(country_id)→hs_hr_country(id)"),
    ("behind letters that several begin with", [*things("aqbookseller", "aqbasket", "aqinvoice"), table("aqorder", "booksellerid", "basketid", "invoiceid")], "aqorder(booksellerid)→aqbookseller(id)"),
    ("a key with what its table's name says little by", [table("import_records", key="import_record_id"), table("import_auths", key="import_record_id")], "import_auths(import_record_id)→import_records(import_record_id)"),
    ("who did it, among those who log in", [table("borrowers", "userid", "password", key="borrower_id"), table("claim", "resolved_by")], "claim(resolved_by)→borrowers(borrower_id)"),
    ("the users and no other users", [*things("users", "oauth_users"), table("note", "performed_by")], "note(performed_by)→users(id)"),
    ("what a user did", [*things("users"), table("plan", "usermodified")], "plan(usermodified)→users(id)"),
    ("a glued role before a table", [*things("course"), table("term", "originalcourseid")], "term(originalcourseid)→course(id)"),
    ("a glued end", [*things("users"), table("message", "useridto", "useridfrom")], "message(useridfrom)→users(id)"),
    ("an end before the mark", [table("reference_term", key="reference_term_id"), table("reference_term_map", "term_a_id", "term_b_id")], "reference_term_map(term_b_id)→reference_term(reference_term_id)"),
    ("another row without the mark", [table("order_group", "previous_order_group", key="order_group_id")], "order_group(previous_order_group)→order_group(order_group_id)"),
    ("the key of the one its key is short for", [table("employee", key="emp_number"), *(table(name, key="emp_number") for name in ("emp_picture", "emp_tax")), table("report", "sub_emp_number"), *things(*CROWD)], "report(sub_emp_number)→employee(emp_number)"),
    ("a noun before what says which", [*things("location"), table("move", "location_dest_id")], "move(location_dest_id)→location(id)"),
    ("a noun first, behind the mark", [table("address", key="id_address"), table("invoice", key="id_invoice"), table("cart", "id_address_invoice", key="id_cart")], "cart(id_address_invoice)→address(id_address)"),
    ("a usual word behind the mark", [table("state", key="id_state"), table("address", "id_state", key="id_address")], "address(id_state)→state(id_state)"),
    ("a deed by a user's id", [*things("users"), table("note", "write_uid")], "note(write_uid)→users(id)"),
    ("who edits, by an id", [*things("users"), table("note", "last_editor_id")], "note(last_editor_id)→users(id)"),
    ("a trade where all are users", [*things("users"), table("sale", "salesman_id")], "sale(salesman_id)→users(id)"),
    ("a level of the table of places", [table("sys_area", "parent_id", key="area_id"), table("member_address", "province_id", "city_id", key="address_id")], "member_address(city_id)→sys_area(area_id)"),
    ("the head of a line", [table("invoice", key="entity_id"), table("invoice_item", "parent_id", key="entity_id")], "invoice_item(parent_id)→invoice(entity_id)"),
    ("another row of the table", [*things("product"), table("tag", "target_tag_id")], "tag(target_tag_id)→tag(id)"),
    ("one of a table that is called an entity", [table("customer_entity", key="entity_id"), table("rule_customer", "customer_id"), table("quote", "customer_id")], "quote(customer_id)→customer_entity(entity_id)"),
    ("a shortened word of a name", [*things("product_template", "product_tag"), table("product_item", "product_tmpl_id")], "product_item(product_tmpl_id)→product_template(id)"),
    ("a supervisor, written as one word", [table("employee", "supervisorid", key="employeeid"), *things("visit")], "employee(supervisorid)→employee(employeeid)"),
    ("letters before all columns of each table", [table("region", "r_name", "r_note", "r_size", key="r_regionkey"), table("nation", "n_name", "n_regionkey", "n_note", key="n_nationkey"), table("shopper", "s_name", "s_nationkey", "s_note", key="s_shopkey")], "shopper(s_nationkey)→nation(n_nationkey)"),
    ("the same without a line", [table("tbexch", "exname", "exarea", "exnote", key="excode"), table("tbmemb", "mbname", "mbstat", "mbnote", key="mbnumb"), table("tbline", "lnexch", "lnmemb", "lnstat", key="lnnumb")], "tbline(lnmemb)→tbmemb(mbnumb)"),
    ("whom something is given to", [*things("users"), table("issue", "default_assigned_to_id")], "issue(default_assigned_to_id)→users(id)"),
    ("which of a thing's states", [*things("issue_statuses"), table("flow", "old_status_id", "new_status_id")], "flow(old_status_id)→issue_statuses(id)"),
    ("whole numbers named as a usual word", [*things("gender"), table("artist", "gender")], "artist(gender)→gender(id)"),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "edge"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_what_a_name_leaves_out_is_found(tables: list[Table], edge: str) -> None:
    assert edge in edges(tables)


NOT_FOUND = [
    ("the end of another word", [*things("ships"), table("card", "membershipid")], "card(membershipid)→ships(id)"),
    ("logins of two kinds of people", [table("patron", "login", "password"), table("vendor", "login", "password"), table("claim", "resolved_by")], "claim(resolved_by)→patron(id)"),
    ("a link table of both", [*things("customer"), table("order_customer", "customer_id", "order_id"), table("order", "customer_id")], "order(customer_id)→order_customer(id)"),
    ("a word that means a table already", [*things("template", "hook_templates"), table("hook", "ugd_template_id")], "hook(ugd_template_id)→hook_templates(id)"),
    ("another key of that name", [table("budget_codes", key="budget_type_code"), table("document_types", key="document_type_code"), table("documents", "budget_type_code")], "documents(budget_type_code)→document_types(document_type_code)"),
    ("the number of a thing that has an id", [*things("posts"), table("notice", "post_number")], "notice(post_number)→posts(id)"),
    ("an order of rows", [*things("orders"), table("menu", "order_num")], "menu(order_num)→orders(id)"),
    ("a small number without a mark", [*things("customer"), table("shop", "share_customer", share_customer="tinyint(1)")], "shop(share_customer)→customer(id)"),
    ("a list of keys", [*things("themes"), table("option", "theme_ids", theme_ids="text")], "option(theme_ids)→themes(id)"),
    ("a text that lists", [table("role", key="role", role="text"), table("member", "roles", roles="text")], "member(roles)→role(role)"),
    ("a fact whose rows refer back", [table("module", "completion"), table("module_completion", "moduleid")], "module(completion)→module_completion(id)"),
    ("a link of parents to children", [*things("grp"), table("membership", "parent_id", "child_id")], "membership(parent_id)→membership(id)"),
    ("the line itself", [table("invoice", key="entity_id"), table("invoice_item", "parent_id", key="entity_id")], "invoice_item(parent_id)→invoice_item(entity_id)"),
    ("somebody else's number", [table("orders", "supplier_order_id", key="order_id")], "orders(supplier_order_id)→orders(order_id)"),
    ("two words in the other order, where one is a table", [*things("users", "user_groups"), table("group_members", "user_id")], "group_members(user_id)→user_groups(id)"),
    ("a key of another name", [table("dict_type", key="dict_id"), table("dict_data", key="dict_code")], "dict_type(dict_id)→dict_data(dict_code)"),
    ("number and date together behind such letters", [table("sale", "sl_code", "sl_note", key=("sl_date", "sl_numb")), table("bin", "bn_code", "bn_note", key=("bn_date", "bn_numb")), table("lift", "lf_date", "lf_numb", "lf_code", "lf_note", key=("lf_a1", "lf_a2"))], "lift(lf_date,lf_numb)→bin(bn_date,bn_numb)"),
    ("its own number among several", [table("address", key="addressid"), table("emailaddress", key=("personid", "emailaddressid"))], "emailaddress(emailaddressid)→address(addressid)"),
    ("a flag of who may", [*things("users"), table("flow", "assignee", assignee="tinyint")], "flow(assignee)→users(id)"),
    ("counts of a thing", [*things("area"), table("label", "area_count", "total_area")], "label(total_area)→area(id)"),
    ("counts in the plural", [*things("area"), table("label", "begin_areas")], "label(begin_areas)→area(id)"),
    ("a text status", [*things("order_status"), table("order", "status", status="text")], "order(status)→order_status(id)"),
    ("what precedes", [*things("users"), table("step", "preceded_by")], "step(preceded_by)→users(id)"),
    ("one of many families", [*things("savings_product", "savings_note", "savings_plan", *CROWD), table("mapping", "product_id")], "mapping(product_id)→savings_product(id)"),
    ("parts of one table", [table(f"log_{kind}", "v", key=("item", "place")) for kind in ("a", "b", "c", "d")], "log_a(item,place)→log_b(item,place)"),
    ("facts of each clock", [table("figures", "v", key=("item", "clock")), table("trends", "v", key=("item", "clock"))], "figures(item,clock)→trends(item,clock)"),
    ("a flag of parents", [table("dept", "is_parent")], "dept(is_parent)→dept(id)"),
    ("what ends like a key", [*things("value"), table("bill", "was_valid")], "bill(was_valid)→value(id)"),
    ("a text setting", [*things("care_setting"), table("visit", "care_setting", care_setting="text")], "visit(care_setting)→care_setting(id)"),
    ("a code of two", [table("currency", "code", "old_code", code="text", old_code="text"), table("loan", "currency_code", currency_code="integer")], "loan(currency_code)→currency(code)"),
    ("a name that means two things", [*things("rule_criteria", "plan_criteria", *CROWD), table("rule_criteria_part", "criteria_id"), table("plan_criteria_part", "criteria_id"), table("entry", "criteria_id")], "entry(criteria_id)→rule_criteria(id)"),
    ("of glued keys of one name, one that is called otherwise", [table("events", key="eventid"), table("event_undo", "event", key="eventid"), table("problem", "undo_eventid", key="problemid")], "problem(undo_eventid)→event_undo(eventid)"),
    ("a fact of each year", [table("degrees", "n", key=("campus", "year")), table("fees", "n", key=("campus", "year"))], "fees(campus,year)→degrees(campus,year)"),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "edge"), [case[1:] for case in NOT_FOUND], ids=[case[0] for case in NOT_FOUND])
def test_what_a_name_does_not_say_is_not_found(tables: list[Table], edge: str) -> None:
    assert edge not in edges(tables)


@pytest.mark.parametrize(
    "name", ["created_id", "changed_by", "retired_by", "createdby", "lastmodifiedby_id", "sent_by"]
)
def test_deeds_are_done_by_people(name: str) -> None:
    assert is_doer(name, surely=True)


@pytest.mark.parametrize("name", ["replaced_by", "sorted_by", "standby", "baby", "produced_by", "hobby_id", "need_by"])
def test_deeds_of_things_are_not(name: str) -> None:
    assert not is_doer(name, surely=True)


def test_a_trade_says_so_by_an_id() -> None:
    assert is_trade("loan_officer_id")
    assert not is_trade("officer")
    assert not is_trade("order_id")


def test_words_that_a_program_abbreviates_are_no_systems_of_a_warehouse() -> None:
    maps = [table("sysmaps", key="sysmapid"), table("sysmap_url", "sysmapid"), table("sysmap_shape", "sysmapid")]
    others = things(*(f"matter{number}" for number in range(200)))
    assert {"sysmap_url(sysmapid)→sysmaps(sysmapid)", "sysmap_shape(sysmapid)→sysmaps(sysmapid)"} <= edges(
        [*maps, *others]
    )
