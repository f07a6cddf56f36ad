"""Every failure Inquery can name, in one tree.

InqueryError
├── UserError             the person asking can act: NotFound, Forbidden, QuestionTooLong, QuestionEmpty,
│                         QuotaExceeded, BadRequest, BadConnectionUrl, SecretKeyMismatch, MissingDriver, ThreadBusy,
│                         NotSignedIn, LoginFailed, ProviderUnavailable, BodyTooLarge, ServerBusy, UnsafeServer,
│                         Unanswerable, Unclear
├── SqlRefused            the guard said no (rule, name, nearest)
├── SqlFixable            the writer can act: SqlSyntax, UnknownTable, UnknownColumn, AmbiguousColumn,
│                         TypeMismatch, SubqueryCardinality, AggregationError, SqlFailed, UnquotedName
├── SqlDenied             the database said no: PermissionDenied, ReadOnlyViolation
├── QueryLimit            QueryTimeout, QueryCancelled, TooManyRows, ResultTooLarge, CostTooHigh
├── DatabaseUnavailable   ConnectFailed, AuthFailed, HostNotAllowed, UnsafeRole, NotADatabase, MissingFile,
│                         ConnectionLost, DatabaseBusy, BadDataFile, StoreDown, HomeUnusable
├── ModelUnavailable      ModelTimeout, ModelUnreachable, RateLimited, ModelQuotaSpent, CircuitOpen, KeyRefused,
│                         ModelForbidden, UnknownModel, RequestRejected, ContextTooLong, NotAModel, ContentFiltered,
│                         ModelRefused, BadOutput, AnswerCut, BudgetSpent, ModelMissing
└── InternalError         a bug of ours

`str(error)` and `error.detail` may hold driver text and are for logs and repair only;
`public_message(language)` is what a person sees and never holds hosts, paths or credentials. `error.said` is what a
model's provider answered in its own words, shortened and without secrets: it goes with the error to every door.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple, NotRequired, Self, TypedDict


class Text(NamedTuple):
    """A field of a message that differs by language, such as a reason."""

    en: str
    zh: str


class ToldError(TypedDict):
    """An error as every door sends it; `detail` is the model provider's own words, where it gave any."""

    code: str
    message: str
    retryable: bool
    detail: NotRequired[str]


class InqueryError(Exception):
    """Root of the tree: a stable code, a public message in two languages, and whether trying again can help."""

    code: ClassVar[str] = "internal"
    en: ClassVar[str] = "Something went wrong inside Inquery."
    zh: ClassVar[str] = "Inquery 内部出现错误。"
    retryable: ClassVar[bool] = False

    def __init__(self, detail: str = "", /, **fields: object) -> None:
        super().__init__(detail or self.code)
        self.detail = detail
        self.fields = fields
        self.said = ""

    @classmethod
    def because(cls, en: str, zh: str, *, detail: str = "", **fields: object) -> Self:
        """The error with its reason in both languages; the English one is the detail unless another is given."""
        return cls(detail or en, reason=Text(en, zh), **fields)

    def public_message(self, language: str = "en") -> str:
        """The sentence shown to a person; fields are public by construction."""
        chinese = language == "zh"
        fields = {k: (v.zh if chinese else v.en) if isinstance(v, Text) else v for k, v in self.fields.items()}
        return (self.zh if chinese else self.en).format_map(_Blank(fields))

    def to_dict(self, language: str = "en") -> ToldError:
        """The shape every door sends for an error."""
        told: ToldError = {
            "code": self.code,
            "message": self.public_message(language),
            "retryable": self.retryable,
        }
        return {**told, "detail": self.said} if self.said else told


class _Blank(dict[str, object]):
    """Formats a missing field as an ellipsis, so that a message never fails to be shown."""

    def __missing__(self, key: str) -> str:
        return "…"


# --- the person asking can act -------------------------------------------------------------------


class UserError(InqueryError):
    code = "user_error"
    en = "The request cannot be carried out."
    zh = "无法执行该请求。"


class BadRequest(UserError):
    code = "bad_request"
    en = "The request is not valid: {reason}"
    zh = "请求无效：{reason}"


class NotFound(UserError):
    code = "not_found"
    en = "There is no {what} named {name}."
    zh = "没有名为 {name} 的{what}。"

    def public_message(self, language: str = "en") -> str:
        text = super().public_message(language)
        nearest = self.fields.get("nearest")
        if not isinstance(nearest, tuple) or not nearest:
            return text
        return text + (
            f"您是否指：{'、'.join(nearest)}？" if language == "zh" else f" Did you mean: {', '.join(nearest)}?"
        )


class Forbidden(UserError):
    code = "forbidden"
    en = "You may not do this."
    zh = "您没有权限执行此操作。"


class QuestionEmpty(UserError):
    code = "question_empty"
    en = "The question is empty. Ask something about the data."
    zh = "问题为空，请输入一个关于数据的问题。"


class QuestionTooLong(UserError):
    code = "question_too_long"
    en = "The question has {length} characters; at most {limit} are accepted."
    zh = "问题长度为 {length} 个字符，最多接受 {limit} 个。"


class Unanswerable(UserError):
    """A writer says that the data does not hold the answer; its reason is for the person who asked."""

    code = "unanswerable"
    en = "This cannot be answered from this data: {reason}"
    zh = "无法根据现有数据回答：{reason}"


class Unclear(UserError):
    """A writer has to ask before it can write a statement."""

    code = "unclear"
    en = "The question is not clear enough: {reason}"
    zh = "问题还不够明确：{reason}"


class OtherSubject(UserError):
    """A model was told what its statement leaves out, and wrote about something else again."""

    code = "other_subject"
    en = "The language model answered something else: nothing in its statement speaks of {words}."
    zh = "语言模型答的是另一个问题：语句中没有涉及{words}。"


class QuotaExceeded(UserError):
    code = "quota_exceeded"
    en = "Your quota is used up: {what}. Try again later."
    zh = "您的配额已用完：{what}。请稍后再试。"
    retryable = True


class BadConnectionUrl(UserError):
    code = "bad_connection_url"
    en = "This is not a database address Inquery understands: {reason}"
    zh = "无法识别该数据库地址：{reason}"


class SecretKeyMismatch(UserError):
    code = "secret_key"
    en = "Stored secrets cannot be read with the current key: {reason}"
    zh = "无法用当前密钥读取已保存的机密：{reason}"


class ThreadBusy(UserError):
    code = "thread_busy"
    en = "This conversation is still answering another question. Wait for it, or cancel it."
    zh = "该会话正在回答另一个问题，请等待其完成或取消。"
    retryable = True


class NotSignedIn(UserError):
    code = "not_signed_in"
    en = "This server needs to know who you are."
    zh = "此服务器需要验证您的身份。"


class LoginFailed(UserError):
    code = "login_failed"
    en = "The name or the password is wrong."
    zh = "用户名或密码错误。"


class ProviderUnavailable(UserError):
    code = "provider_unavailable"
    en = "The sign-in provider cannot be used: {reason}"
    zh = "登录服务不可用：{reason}"
    retryable = True


class BodyTooLarge(UserError):
    code = "body_too_large"
    en = "The request is too large; at most {limit} bytes are accepted."
    zh = "请求过大，最多接受 {limit} 字节。"


class ServerBusy(UserError):
    code = "server_busy"
    en = "The server is answering as many questions as it can. Try again in {seconds} seconds."
    zh = "服务器正在处理的问题已达上限，请在 {seconds} 秒后重试。"
    retryable = True


class UnsafeServer(UserError):
    code = "unsafe_server"
    en = "The server was not started: {reason}"
    zh = "服务器未启动：{reason}"


class MissingDriver(UserError):
    code = "missing_driver"
    en = "The driver for {engine} is not installed. Install it with: pip install 'inquery[{extra}]'"
    zh = "未安装 {engine} 的驱动。请运行：pip install 'inquery[{extra}]'"


# --- the guard said no ---------------------------------------------------------------------------

REFUSALS: dict[str, tuple[str, str]] = {
    "too_long": ("The statement is too long.", "语句过长。"),
    "bad_text": ("The statement contains characters that are not allowed.", "语句包含不允许的字符。"),
    "hidden_code": ("The statement contains an executable comment or a hint.", "语句包含可执行注释或提示。"),
    "syntax": ("The statement could not be parsed.", "无法解析该语句。"),
    "several_statements": ("Only one statement is allowed.", "只允许一条语句。"),
    "empty": ("There is no statement.", "没有语句。"),
    "not_a_query": ("Only queries that read data are allowed.", "只允许读取数据的查询。"),
    "forbidden_clause": ("The clause {name} is not allowed.", "不允许使用子句 {name}。"),
    "forbidden_function": ("The function {name} is not allowed.", "不允许使用函数 {name}。"),
    "forbidden_type": ("The type {name} is not allowed.", "不允许使用类型 {name}。"),
    "forbidden_operator": ("The operator {name} is not allowed.", "不允许使用运算符 {name}。"),
    "forbidden_source": ("Reading from {name} is not allowed.", "不允许从 {name} 读取。"),
    "unknown_table": ("There is no table {name}.", "不存在表 {name}。"),
    "unknown_column": ("There is no column {name}.", "不存在列 {name}。"),
    "ambiguous_table": ("The table {name} is ambiguous.", "表 {name} 有歧义。"),
    "ambiguous_column": ("The column {name} is ambiguous.", "列 {name} 有歧义。"),
    "bad_filter": ("A row filter of the policy cannot be applied.", "无法应用策略中的行过滤条件。"),
    "too_complex": ("The statement is too complex to be checked.", "语句过于复杂，无法检查。"),
    "unchecked": (
        "It could not be checked; that is a fault of Inquery's, not of the statement's.",
        "无法检查该语句：这是 Inquery 的问题，不是语句的错误。",
    ),
    "no_grammar": (
        "sqlglot's compiled build is installed without its Python sources. Reinstall sqlglot, or remove sqlglotc.",
        "已安装 sqlglot 的编译版本，但缺少其 Python 源文件。请重新安装 sqlglot，或卸载 sqlglotc。",
    ),
}


class SqlRefused(InqueryError):
    """The guard refused a statement; `check` raises nothing else."""

    code = "sql_refused"
    en = "The statement was refused: {reason}"
    zh = "语句被拒绝：{reason}"

    def __init__(
        self, rule: str, message: str = "", /, *, name: str | None = None, nearest: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message or rule)
        self.rule = rule
        self.name = name
        self.nearest = nearest

    def reason(self, language: str = "en") -> str:
        """Why, in one sentence that holds no data."""
        chinese = language == "zh"
        reason = REFUSALS[self.rule][chinese].format(name=self.name or "…")
        if self.nearest:
            hint = "、".join(self.nearest) if chinese else ", ".join(self.nearest)
            reason += f"您是否指：{hint}？" if chinese else f" Did you mean: {hint}?"
        return reason

    def public_message(self, language: str = "en") -> str:
        return (self.zh if language == "zh" else self.en).format(reason=self.reason(language))


# --- the writer of the SQL can act ---------------------------------------------------------------


class SqlFixable(InqueryError):
    """The database rejected the statement for a reason a better statement avoids."""

    code = "sql_fixable"
    en = "The database rejected the statement."
    zh = "数据库拒绝了该语句。"


class SqlSyntax(SqlFixable):
    code = "sql_syntax"
    en = "The database could not understand the statement."
    zh = "数据库无法理解该语句。"


class UnquotedName(SqlSyntax):
    code = "unquoted_name"
    en = "{words}: a keyword of SQL that is also a name in this database. Quote it in the statement: {quoted}"
    zh = "{words} 是 SQL 关键字，同时也是此数据库中的名称，在语句中须加引号：{quoted}"


class UnknownTable(SqlFixable):
    code = "unknown_table"
    en = "The statement names a table that does not exist."
    zh = "语句引用了不存在的表。"


class UnknownColumn(SqlFixable):
    code = "unknown_column"
    en = "The statement names a column that does not exist."
    zh = "语句引用了不存在的列。"


class AmbiguousColumn(SqlFixable):
    code = "ambiguous_column"
    en = "The statement names a column that several tables have."
    zh = "语句中的列在多个表中存在，含义不明确。"


class TypeMismatch(SqlFixable):
    code = "type_mismatch"
    en = "The statement compares or converts values of types that do not fit."
    zh = "语句比较或转换了类型不匹配的值。"


class SubqueryCardinality(SqlFixable):
    code = "subquery_cardinality"
    en = "A subquery returned more rows or columns than the statement allows."
    zh = "子查询返回的行或列多于语句允许的数量。"


class AggregationError(SqlFixable):
    code = "aggregation"
    en = "The statement mixes grouped and ungrouped columns."
    zh = "语句混用了分组列和未分组列。"


class SqlFailed(SqlFixable):
    code = "sql_failed"
    en = "The statement failed while it ran."
    zh = "语句执行失败。"


class FilteredFailed(SqlFailed):
    """A failure over rows of which some are hidden from the asker: what the database said may hold them."""

    code = "filtered_failed"
    en = "The statement failed while it ran. Its rows are filtered for you, so what the database said is not shown."
    zh = "语句执行失败。其中的行已按您的权限过滤，因此不显示数据库的说明。"


# --- the database said no ------------------------------------------------------------------------


class SqlDenied(InqueryError):
    code = "sql_denied"
    en = "The database does not allow this."
    zh = "数据库不允许此操作。"


class PermissionDenied(SqlDenied):
    code = "permission"
    en = "The database account may not read this data."
    zh = "数据库账号无权读取该数据。"


class ReadOnlyViolation(SqlDenied):
    code = "read_only"
    en = "The statement tried to write; Inquery only reads."
    zh = "语句试图写入；Inquery 只读取数据。"


# --- limits --------------------------------------------------------------------------------------


class QueryLimit(InqueryError):
    code = "query_limit"
    en = "The query went past a limit."
    zh = "查询超出限制。"


class QueryTimeout(QueryLimit):
    code = "timeout"
    en = "The query was stopped after {seconds} seconds. Narrow it with a filter or a shorter period."
    zh = "查询在 {seconds} 秒后被终止。请添加筛选条件或缩短时间范围。"


class QueryCancelled(QueryLimit):
    code = "cancelled"
    en = "The query was cancelled."
    zh = "查询已取消。"


class TooManyRows(QueryLimit):
    code = "too_many_rows"
    en = "The result has more than {limit} rows."
    zh = "结果超过 {limit} 行。"


class ResultTooLarge(QueryLimit):
    code = "result_too_large"
    en = "The result is too large. Select fewer columns or rows."
    zh = "结果过大，请减少列或行。"


class CostTooHigh(QueryLimit):
    code = "cost_too_high"
    en = "The database expects this query to be too costly. Narrow it with a filter."
    zh = "数据库预估该查询代价过高，请添加筛选条件。"


# --- the database cannot be reached --------------------------------------------------------------


class DatabaseUnavailable(InqueryError):
    code = "database_unavailable"
    en = "The database cannot be used right now."
    zh = "数据库暂时无法使用。"
    retryable = True


class ConnectFailed(DatabaseUnavailable):
    code = "connect_failed"
    en = "The database could not be reached: {reason}"
    zh = "无法连接数据库：{reason}"


class ConnectionLost(DatabaseUnavailable):
    code = "connection_lost"
    en = "The connection to the database was lost."
    zh = "与数据库的连接已断开。"


class DatabaseBusy(DatabaseUnavailable):
    code = "database_busy"
    en = "The database is busy: no session became free within {seconds} seconds. Try again in a moment."
    zh = "数据库繁忙：{seconds} 秒内没有可用会话，请稍后再试。"


class StoreDown(DatabaseUnavailable):
    """Not a user's database but the one Inquery keeps its own things in."""

    code = "store_down"
    en = "Inquery's own store does not answer. Try again in a moment."
    zh = "Inquery 自身的存储没有响应，请稍后重试。"


class HomeUnusable(DatabaseUnavailable):
    """The folder of Inquery's own files, or one of them: whoever runs Inquery can act."""

    code = "home_unusable"
    en = "Inquery cannot use its own files (INQUERY_HOME): {reason}"
    zh = "Inquery 无法使用自身的文件（INQUERY_HOME）：{reason}"
    retryable = False


class AuthFailed(DatabaseUnavailable):
    code = "auth_failed"
    en = "The database refused the user name or password."
    zh = "数据库拒绝了用户名或密码。"
    retryable = False


class HostNotAllowed(DatabaseUnavailable):
    code = "host_not_allowed"
    en = "Connections to this host are not allowed by the settings."
    zh = "设置不允许连接该主机。"
    retryable = False


class UnsafeRole(DatabaseUnavailable):
    code = "unsafe_role"
    en = "The database account may write or administer ({why}). Use a read-only account, or pass --allow-superuser on loopback."
    zh = "该数据库账号拥有写入或管理权限（{why}）。请使用只读账号，或在本机使用 --allow-superuser。"
    retryable = False


class NotADatabase(DatabaseUnavailable):
    code = "not_a_database"
    en = "{name} is not a database or data file that Inquery can read."
    zh = "{name} 不是 Inquery 能读取的数据库或数据文件。"
    retryable = False


class MissingFile(NotADatabase):
    code = "missing_file"
    en = "There is no {name} that Inquery may open."
    zh = "没有 Inquery 可以打开的 {name}。"


class BadDataFile(DatabaseUnavailable):
    code = "bad_data_file"
    en = "The data file {name} cannot be read: {reason}"
    zh = "无法读取数据文件 {name}：{reason}"
    retryable = False


# --- the model cannot be used --------------------------------------------------------------------


class ModelUnavailable(InqueryError):
    code = "model_unavailable"
    en = "The language model's server has a fault of its own and cannot be used right now."
    zh = "语言模型服务器自身出现故障，暂时无法使用。"
    retryable = True


class ModelTimeout(ModelUnavailable):
    code = "model_timeout"
    en = "The language model did not answer in time."
    zh = "语言模型未在规定时间内回答。"


class ModelUnreachable(ModelUnavailable):
    code = "model_unreachable"
    en = "The language model's server could not be reached. Check its address and the network."
    zh = "无法连接语言模型服务器，请检查地址和网络。"


class RateLimited(ModelUnavailable):
    code = "model_rate_limited"
    en = "The language model is receiving too many requests. Try again in a moment."
    zh = "语言模型请求过多，请稍后再试。"


class ModelQuotaSpent(ModelUnavailable):
    code = "model_quota_spent"
    en = "The account at the language model's provider has no credit or quota left."
    zh = "语言模型服务商账户的余额或额度已用完。"
    retryable = False


class CircuitOpen(ModelUnavailable):
    code = "model_circuit_open"
    en = "The language model failed several times and is paused for {seconds} seconds."
    zh = "语言模型连续失败，已暂停 {seconds} 秒。"


class KeyRefused(ModelUnavailable):
    code = "model_key_refused"
    en = "The language model's provider refused the key."
    zh = "语言模型服务商拒绝了密钥。"
    retryable = False


class ModelForbidden(ModelUnavailable):
    code = "model_forbidden"
    en = "The key is not allowed to use this language model."
    zh = "该密钥无权使用此语言模型。"
    retryable = False


class UnknownModel(ModelUnavailable):
    code = "model_unknown"
    en = "The provider has no language model of this name, or its address is wrong."
    zh = "服务商没有该名称的语言模型，或地址有误。"
    retryable = False


class RequestRejected(ModelUnavailable):
    code = "model_rejected"
    en = "The language model's provider did not accept the request."
    zh = "语言模型服务商未接受该请求。"
    retryable = False


class ContextTooLong(ModelUnavailable):
    code = "model_context_too_long"
    en = "The question and its tables are longer than the language model can read."
    zh = "问题及相关表超出了语言模型的上下文长度。"
    retryable = False


class NotAModel(ModelUnavailable):
    code = "model_not_an_api"
    en = "What answers at the language model's address is no language model: check the address and any proxy."
    zh = "语言模型地址返回的不是模型接口的内容，请检查地址和代理。"
    retryable = False


class ContentFiltered(ModelUnavailable):
    code = "model_content_filter"
    en = "The language model's provider withheld the answer by its content filter. Try other words."
    zh = "语言模型服务商的内容过滤拦截了回答，请换一种说法。"
    retryable = False


class ModelRefused(ModelUnavailable):
    """The model itself will not answer, which says nothing of the data."""

    code = "model_refused"
    en = "The language model refused to answer: {reason}"
    zh = "语言模型拒绝回答：{reason}"
    retryable = False


class BadOutput(ModelUnavailable):
    code = "model_bad_output"
    en = "The language model did not produce a usable answer."
    zh = "语言模型未给出可用的回答。"


class AnswerCut(BadOutput):
    code = "model_answer_cut"
    en = "The language model's answer was cut at {limit} tokens. Allow longer answers with llm.max_tokens."
    zh = "语言模型的回答在 {limit} 个令牌处被截断，可调大 llm.max_tokens。"


class BudgetSpent(ModelUnavailable):
    code = "model_budget_spent"
    en = "The token or cost budget of this run is spent."
    zh = "本次运行的令牌或费用预算已用完。"
    retryable = False


class ModelMissing(ModelUnavailable):
    code = "model_missing"
    en = "No language model is set up: {reason}"
    zh = "尚未配置语言模型：{reason}"
    retryable = False


class InternalError(InqueryError):
    """A bug of ours; the detail goes to the log."""


def all_errors() -> list[type[InqueryError]]:
    """Every class of the tree, root first; the reference page and its test read this."""
    found: list[type[InqueryError]] = []
    queue: list[type[InqueryError]] = [InqueryError]
    while queue:
        cls = queue.pop(0)
        found.append(cls)
        queue.extend(cls.__subclasses__())
    return found
