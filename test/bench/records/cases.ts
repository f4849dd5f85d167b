import { type Client, createClient } from '#shared/api/client.ts';
import { families } from '../../../functions/catalogue.ts';
import { planted, type RecordWorld } from './world.ts';

/** What is asked of lists. */

export interface Place {
  api: Client<typeof families>;
  world: RecordWorld;
  /** Of all deals. */
  stage_id?: string;
  pipeline_id?: string;
  /** Of the first one. */
  deal_id?: string;
  /** A space of the tag that 1 % have. */
  tag_space_id?: string;
}

export const placeOf = (base_url: string, world: RecordWorld): Place => ({
  world,
  api: createClient(families, { base_url, key: world.keys.write_key }),
});

export interface RecordCase {
  name: string;
  /** Gives the number of rows. */
  ask(place: Place): Promise<number>;
}

export type Query = Record<string, string | number | boolean>;

export const wordCases: [string, () => Query][] = [
  ['query, a rare word', () => ({ query: planted.rare })],
  ['query, a word of 1 %', () => ({ query: planted.hundredth })],
  ['query, a word of half', () => ({ query: planted.half })],
];

export const tagCases: [string, (world: RecordWorld) => Query][] = [
  ['tags, a rare one', ({ tags }) => ({ tags: tags.rare })],
  ['tags, of 1 %', ({ tags }) => ({ tags: tags.hundredth })],
  ['tags, of half', ({ tags }) => ({ tags: tags.half })],
];
