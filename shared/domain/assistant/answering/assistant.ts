import type * as z from 'zod';
import type { Config } from '#shared/config.ts';
import type { ToolResults } from './tool-results.ts';

/** The port that answers questions: with a language model, or with the built-in assistant. */

export type ToolName = keyof ToolResults;

/** A tool of the assistant. It acts for the asking user and sees what that user sees. */
export interface Tool<Name extends ToolName = ToolName> {
  name: Name;
  /** For the model. */
  description: string;
  input: z.ZodObject;
  /** Throws ToolRefused for invalid input and for records that the user does not see. */
  run(input: unknown): Promise<ToolResults[Name]>;
}

export type Toolbox = { [Name in ToolName]?: Tool<Name> };

/** The message gives the reason, for a model or a person. */
export class ToolRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolRefused';
  }
}

/** A turn of the conversation so far, oldest first. */
export interface PastTurn {
  role: 'user' | 'assistant';
  text: string;
}

export interface Asked {
  /** The question as plain text. */
  text: string;
  asker: { name: string; email_address: string; time_zone: string };
  now: Date;
  /** The record that it was asked on. */
  about: {
    type: 'contact' | 'organization' | 'thread' | 'deal' | 'calendar_event';
    id: string;
    label: string | null;
  } | null;
  past: PastTurn[];
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
}

/** `text` is plain text; `[label](thread:<id>)`, with the type of any record that tools gave, refers to it. */
export interface Answer {
  text: string;
  usage: Usage;
}

/** The text of a record, for work without a question. */
export interface Summary {
  /** One sentence. */
  headline: string;
  summary: string;
  usage: Usage;
}

export interface TagChoice {
  tag_ids: string[];
  usage: Usage;
}

/** What a person's own mail tells about the person, each value as it stands there. */
export interface Facts {
  first_name: string | null;
  last_name: string | null;
  title: string | null;
  organization: string | null;
  phone_numbers: string[];
  links: string[];
}

export interface Findings {
  facts: Facts;
  usage: Usage;
}

/** What was said in a meeting. */
export interface Meeting {
  name: string;
  starts_at: string;
  said: { speaker: string; text: string }[];
}

export interface MeetingNotes {
  text: string;
  /** What somebody promised. `who` is a name or an address as it was said. */
  tasks: { name: string; who: string | null; due_on: string | null }[];
}

export interface NotedMeeting {
  notes: MeetingNotes;
  usage: Usage;
}

export interface ThreadText {
  subject: string | null;
  /** Oldest first. */
  messages: { from: string; sent_at: string; text: string }[];
}

/** A thread up to a new message, which is the last one: what its reader sees. */
export interface NewMessage extends ThreadText {
  reader: { name: string; email_address: string; time_zone: string };
  /** When the last message arrived. */
  arrived_at: string;
}

/** What a message asks its reader to do. */
export interface FoundTask {
  name: string;
  /** By the clock of the reader: `2026-11-27` or `2026-11-27T14:00`. */
  due: string | null;
}

export interface FoundTasks {
  tasks: FoundTask[];
  usage: Usage;
}

/** An open deal with who wrote a message, and the stages that it may be moved to. */
export interface OpenDeal {
  name: string;
  stage: string;
  later: { id: string; name: string; kind: 'open' | 'won' }[];
}

/** What a message says about business: something new, or a step of the deal at a place of the list. */
export type DealSignal =
  | { kind: 'new'; name: string; amount: number | null; currency: string | null }
  | { kind: 'step'; deal: number; stage_id: string };

export interface FoundSignal {
  signal: DealSignal | null;
  usage: Usage;
}

/** What a day brings somebody, as that person sees the workspace. */
export interface Day {
  reader: { name: string; time_zone: string };
  /** `2026-11-27` */
  date: string;
  sections: DaySection[];
}

export interface DaySection {
  /** `Tasks due` */
  title: string;
  /** The number of all its records; `more` than that when counting stopped. */
  total: number;
  more: boolean;
  /** The first ones. The values of `cells` are by the clock of the reader. */
  rows: {
    type: 'calendar_event' | 'thread' | 'task' | 'deal';
    id: string;
    name: string | null;
    cells: Record<string, string | null>;
  }[];
}

export interface Assistant {
  /** Its name in usage: `built-in`, or the model. */
  name: string;
  /** Answers or fails before `deadline` (milliseconds). */
  answer(asked: Asked, tools: Toolbox, deadline: number): Promise<Answer>;
  summarize(thread: ThreadText, instructions: string | null, deadline: number): Promise<Summary>;
  /** The matching ones of `tags`, best first. */
  chooseTags(
    thread: ThreadText,
    tags: { id: string; name: string; description: string | null }[],
    instructions: string | null,
    deadline: number,
  ): Promise<TagChoice>;
  /** What mail of one person, oldest first, tells about who wrote it. */
  findFacts(mail: ThreadText, instructions: string | null, deadline: number): Promise<Findings>;
  /** What the new message asks its reader to do. */
  findTasks(mail: NewMessage, instructions: string | null, deadline: number): Promise<FoundTasks>;
  /** A step of one of the deals; without deals, whether the new message begins one. */
  findDeal(
    mail: NewMessage,
    deals: OpenDeal[],
    instructions: string | null,
    deadline: number,
  ): Promise<FoundSignal>;
  /** What came of a meeting of any length. */
  noteMeeting(meeting: Meeting, instructions: string | null, deadline: number): Promise<NotedMeeting>;
  /** The day in a few sentences. Only records of its sections can be referred to. */
  brief(day: Day, deadline: number): Promise<Answer>;
}

/** Port: the assistant that a deployment has. */
export interface AsksAssistant {
  assistantOf(config: Pick<Config, 'assistant'>): Assistant;
}
