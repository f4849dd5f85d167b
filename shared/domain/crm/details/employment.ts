import * as z from 'zod';
import { isoDate, uuid } from '#shared/values.ts';
import { shown } from './fields.ts';

/** A job, as contacts and organizations show it. */

const organizationSummary = z.strictObject({
  id: uuid,
  name: z.string().meta({ example: 'Acme' }),
  domain: shown('acme.example'),
});

export const employment = z.strictObject({
  id: uuid,
  title: shown('Analyst'),
  organization: organizationSummary.nullable(),
  current: z.boolean(),
  started_on: isoDate.nullable(),
  ended_on: isoDate.nullable(),
});
