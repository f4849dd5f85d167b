import { begun } from '#shared/begun.ts';
import { type OrganizationSummary, visibleSummaries } from '#shared/domain/crm/organizations/summary.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employer-ids.ts';

/**
 * The visible employers of the contacts of one response. They are read in the same step as the contacts where something
 * says before which they are, so that they cost no round trip.
 */
export class EmployersAhead {
  readonly #ctx: CallerContext;
  readonly #asked = new Set<string>();
  readonly #reads: Promise<Map<string, OrganizationSummary>>[] = [];

  constructor(ctx: CallerContext) {
    this.#ctx = ctx;
  }

  /** Begins to read those that are not read yet. */
  expect(ids: string[]): void {
    const further = [...new Set(ids)].filter((id) => !this.#asked.has(id));
    if (further.length === 0) return;
    for (const id of further) this.#asked.add(id);
    this.#reads.push(begun(visibleSummaries(this.#ctx, further)));
  }

  /** By id. */
  async of(contacts: Pick<Contact, 'employments'>[]): Promise<Map<string, OrganizationSummary>> {
    this.expect(contacts.flatMap(employerIds));
    return new Map((await Promise.all(this.#reads)).flatMap((each) => [...each]));
  }
}
