import * as z from 'zod';
import { type Entries, line, refuseEntry, webAddress } from '#shared/domain/crm/details/written.ts';
import { nameText, text } from '#shared/values.ts';
import { domainName } from './domain-name.ts';

/** The values that requests send of an organization (docs/specification/records.md, "Organizations"). */

/**
 * One transaction contains the organization, its domains, its old and new name, two external ids and the proposal that
 * caused it: 100 items at most.
 */
export const DOMAINS = 80;

function noDuplicates(context: Entries<string>): void {
  context.value.forEach((domain, i) => {
    if (context.value.indexOf(domain) < i) refuseEntry(context, i, undefined, 'is given twice');
  });
}

/** The fields that requests send of an organization. */
export const written = {
  name: nameText(255).meta({ example: 'Acme' }),
  domains: z.array(domainName).max(DOMAINS).check(noDuplicates).optional(),
  description: text(20_000).nullish(),
  industry: line,
  website_url: webAddress.nullish(),
  logo_url: webAddress.nullish(),
  employee_count: z.int().min(0).max(2_147_483_647).nullish(),
};
