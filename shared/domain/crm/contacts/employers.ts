import { isDeepStrictEqual } from 'node:util';
import { findOrFound } from '#shared/domain/crm/organizations/founding.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { visibleSummaries } from '#shared/domain/crm/organizations/summary.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import type { Contact, ContactChanges } from './contact.ts';
import { type Employed, employerIds } from './employer-ids.ts';
import { employmentOf, type NamedEmployment, type SentEmployment } from './entries.ts';

/** The organizations of a contact's employments. */

/** Organizations that one request creates by naming them. */
const MAX_FOUNDED = 25;

/** The visible employers of contacts, by id. */
export const employersOf = (ctx: CallerContext, contacts: Employed[]) =>
  visibleSummaries(ctx, [...new Set(contacts.flatMap(employerIds))]);

/** What requests send of a contact, with organizations by their ids. */
export type Named<Sent> = Omit<Sent, 'employments'> & { employments?: NamedEmployment[] | undefined };

export interface WithEmployers<Sent> {
  sent: Named<Sent>;
  /** Organizations to create with the contact. */
  founded: Organization[];
}

const contentOf = ({ id: _, organization: __, ...rest }: Contact['employments'][number]) => rest;

/** Who does not see the organization of a job sends it back without one: it stays. */
function keepHidden(sent: SentEmployment, hidden: Contact['employments'], now: Date): { id: string } | null {
  const job = contentOf(employmentOf({ ...sent, organization: null }, now));
  const i = hidden.findIndex((each) => isDeepStrictEqual(contentOf(each), job));
  return i < 0 ? null : (hidden.splice(i, 1)[0]?.organization ?? null);
}

/**
 * Finds the organizations that employments name by id or name. `before` is undefined for a new contact. 404 for an id
 * that the caller does not see; an organization that does not exist is created with the contact's visibility.
 */
export async function withEmployers<Sent extends Pick<ContactChanges, 'employments' | 'visibility'>>(
  ctx: CallerContext,
  sent: Sent,
  before?: Contact,
): Promise<WithEmployers<Sent>> {
  const { employments, ...rest } = sent;
  if (!employments) return { sent: rest as Named<Sent>, founded: [] };
  const chosen = employments.flatMap(({ organization }) => organization ?? []);
  const [ids, names] = [chosen.flatMap(({ id }) => id ?? []), chosen.flatMap(({ name }) => name ?? [])];
  const kept = before ? employerIds(before) : [];
  const [visible, named] = await Promise.all([
    visibleSummaries(ctx, [...new Set([...ids, ...kept])]),
    findOrFound(ctx, names, sent.visibility ?? before?.visibility ?? 'account'),
  ]);
  if (!ids.every((id) => visible.has(id))) throw recordNotFound();
  if (named.founded.length > MAX_FOUNDED)
    throw invalidField('employments', 'too_long', `create ${MAX_FOUNDED} organizations at once at most`);
  const hidden = (before?.employments ?? []).filter(
    ({ organization }) => organization && !visible.has(organization.id),
  );
  const resolved = employments.map((each): NamedEmployment => {
    const id = each.organization?.id ?? named.ids.get(each.organization?.name ?? '');
    return { ...each, organization: id === undefined ? keepHidden(each, hidden, ctx.now) : { id } };
  });
  return { sent: { ...rest, employments: resolved } as Named<Sent>, founded: named.founded };
}
