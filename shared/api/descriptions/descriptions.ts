import { assistant } from './assistant.ts';
import { calendar } from './calendar.ts';
import { comments } from './comments.ts';
import { deals } from './deals.ts';
import { exchange } from './exchange.ts';
import { files } from './files.ts';
import { insight } from './insight.ts';
import { mail } from './mail.ts';
import { people } from './people.ts';
import { records } from './records.ts';
import { search } from './search.ts';
import { everywhere, shared } from './shared.ts';
import { timeline } from './timeline.ts';

/**
 * What schemas and their fields mean, by their names in the OpenAPI document. They are here and not at the fields so
 * that no Lambda bundle contains them.
 */

export type Fields = Record<string, string>;

export type Descriptions = Record<string, { is: string; fields?: Fields }>;

export const descriptions: Descriptions = {
  ...shared,
  ...people,
  ...records,
  ...deals,
  ...calendar,
  ...comments,
  ...exchange,
  ...files,
  ...insight,
  ...mail,
  ...assistant,
  ...search,
  ...timeline,
};

/** Schemas that have fields in common with another. */
const like: Record<string, string> = {
  IssuedApiKey: 'ApiKey',
  NamedTag: 'Tag',
  OpenThread: 'Thread',
  PipelineDraftStage: 'Stage',
};

/** The schema that a schema of a request writes to: `ContactDraftLink` to `ContactLink`. */
const written = (name: string) => like[name] ?? name.replace(/(Draft|Changes|Edit)(?=$|[A-Z])/, '');

export const describesField = (name: string, field: string): string | undefined =>
  descriptions[name]?.fields?.[field] ?? descriptions[written(name)]?.fields?.[field] ?? everywhere[field];

const wrappers: [suffix: RegExp, what: string][] = [
  [/Request$/, 'The body of a request.'],
  [/CollectionResponse$/, 'The body of a response: a list, or a page of one.'],
  [/Response$/, 'The body of a response.'],
  [/Collection$/, 'Records of a list, whole or by the page.'],
];

export const describesSchema = (name: string): string | undefined =>
  descriptions[name]?.is ?? wrappers.find(([suffix]) => suffix.test(name))?.[1];
