import { isDeepStrictEqual } from 'node:util';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { findOrFound } from '#shared/domain/crm/organizations/founding.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { visibleSummaries } from '#shared/domain/crm/organizations/summary.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { type Write, when } from '#shared/table/table.ts';
import type { Contact, ContactChanges } from './contact.ts';
import { employmentOf, type NamedEmployment, type SentEmployment } from './entries.ts';
import { EMAIL_ADDRESSES } from './written.ts';

/** The organizations of a contact's employments. */

/** Organizations that one request creates by naming them. */
const MAX_FOUNDED = 25;

type Employed = Pick<Contact, 'employments'>;

export function employerIds({ employments }: Employed): string[] {
  return [...new Set(employments.flatMap(({ organization }) => organization?.id ?? []))];
}

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

/** The row by which threads of the contact belong to an organization (mail/threads/lists/owners.ts). */
function rowOf({ id, visibility, user_id, email_addresses }: Contact) {
  const addresses = email_addresses.map(({ email_address }) => email_address);
  return { contact: { id, visibility, user_id }, addresses };
}

/**
 * The rows of a contact's organizations, which must exist until the contact is written. 400 `too_long` for more
 * organizations than one transaction can change with the email addresses.
 */
export function employerWrites(
  before: Contact | undefined,
  after: Contact | undefined,
  founded: Organization[],
): Write[] {
  const [old, wanted] = [before ? employerIds(before) : [], after ? employerIds(after) : []];
  if (after && wanted.length > 0 && wanted.length + after.email_addresses.length > EMAIL_ADDRESSES)
    throw invalidField(
      'employments',
      'too_long',
      `has more than ${EMAIL_ADDRESSES} organizations and addresses`,
    );
  const same = before && after && isDeepStrictEqual(rowOf(before), rowOf(after));
  return [...new Set([...old, ...wanted])].flatMap((id): Write[] => {
    const key = keys.ownerRow('organizations', id, (after ?? before)?.id ?? '');
    if (!after || !wanted.includes(id)) return [{ delete: key }];
    const isNew = !old.includes(id) && !founded.some((each) => each.id === id);
    const check: Write = { check: keys.record('organizations', id), when: when(isLive) };
    return same && old.includes(id) ? [] : [{ put: { ...key, ...rowOf(after) } }, ...(isNew ? [check] : [])];
  });
}
