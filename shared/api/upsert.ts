import * as z from 'zod';
import type { Route } from './route.ts';

/** Creates that change the record instead, when it is there (docs/specification/requests.md, "Upserts"). */

export const upserting = {
  upsert: z.enum(['external_id']).optional().meta({
    description:
      'external_id: when a record has the `external_id` that is sent, it is changed as by PATCH, and the status is 200',
  }),
};

export const upserts = ({ query }: Pick<Route, 'query'>): boolean => query !== undefined && 'upsert' in query;

/** What a handler returns, 200 instead of 201 or 202, when the record was there. */
export class Existing<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** The same, when it changed the record. */
export class Updated<Body> extends Existing<Body> {}
