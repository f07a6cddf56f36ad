import type { components } from "./schema";
import type { Sent } from "./sent";

export type { Cell } from "./undescribed";

type Schemas = components["schemas"];
type Of<Name extends keyof Schemas> = Sent<Schemas[Name]>;

/** Begins a turn: the run answers a question of its own, not a reply. Servers before 0.2 send none. */
type TurnEvent = { type: "turn"; seq: number; run_id: string; at: string | null; question?: string };

export type StreamEvent = Of<"StreamEvent"> | TurnEvent;
export type RunEvents = Omit<Of<"RunEvents">, "events"> & { events: StreamEvent[] };
export type Answer = Of<"Answer">;
/** Parts of these are missing where an answer has none. */
export type Reading = Partial<Answer["reading"]>;
export type Provenance = Partial<Answer["provenance"]>;
export type Failure = Of<"ErrorBody">;
export type Column = Of<"AnswerColumn">;
export type ChartSpec = Of<"ChartSpec">;
export type Option = Of<"Option">;
export type Usage = Of<"Usage">;
export type SqlResult = Of<"SqlResult">;
export type Question = Schemas["Question"];
export type Resume = Schemas["Resume"];
export type Reply = NonNullable<Resume["reply"]>;
export type Thread = Of<"ThreadInfo">;
export type ThreadHistory = Of<"ThreadHistory">;
export type Connection = Of<"ConnectionInfo">;
export type Tried = Of<"Tried">;
export type TableInfo = Of<"TableInfo">;
export type Join = Of<"JoinInfo">;
export type Sample = Of<"SampleInfo">;
export type Saved = Of<"SavedInfo">;
export type Profile = Of<"ProfileInfo">;
export type ProfileContent = Of<"ProfileContent">;
export type Report = Of<"ReportInfo">;
export type ReportRun = Of<"RunInfo">;
export type ReportValue = Of<"ValueInfo">;
export type Me = Of<"Me">;
export type Ways = Of<"Ways">;
export type UserInfo = Of<"UserInfo">;
export type GrantInfo = Of<"GrantInfo">;
export type KeyInfo = Of<"KeyInfo">;
export type NewKeyInfo = Of<"NewKeyInfo">;
export type TryModel = Schemas["TryModel"];
export type Tested = Of<"Tested">;
