import {
  type Contact,
  type ContactChanges,
  type ContactDraft,
  contactDraft,
} from '#shared/domain/crm/contacts/contact.ts';
import { planContact } from '#shared/domain/crm/contacts/create.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { planContactUpdateBy } from '#shared/domain/crm/contacts/update.ts';
import { externalIds } from '#shared/domain/crm/contacts/writes.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { foldName } from '#shared/folding.ts';
import type { Cells } from './cells.ts';
import { withTypes } from './custom-cells.ts';
import { detailsIn, keptIn, tagsIn, urlIn } from './detail-cells.ts';
import { detailsAdded } from './details-added.ts';
import type { Family } from './family.ts';
import { withoutKeptTexts } from './kept-texts.ts';
import { added, type SentRow } from './row.ts';
import { readDay } from './written-values.ts';

/** Contacts of files. */

function employmentsIn(cells: Cells): object {
  const [name, title] = [cells.one('organization'), cells.one('title')];
  if (name === undefined && title === undefined) return {};
  const organization = name === undefined ? {} : { organization: { name } };
  return { employments: [{ title: title ?? null, ...organization, current: true }] };
}

/** Each once, as it comes first. */
function emailsIn(cells: Cells) {
  const found = new Map<string, { email_address: string; label: string | null }>();
  for (const { label, text } of cells.all('email_addresses'))
    for (const email_address of text.split(/:::|[;,\s]+/)) {
      const known = email_address.toLowerCase();
      if (email_address !== '' && !found.has(known)) found.set(known, { email_address, label });
    }
  return [...found.values()];
}

function rowOf(cells: Cells): SentRow {
  const day = cells.one('birthday');
  const emails = emailsIn(cells);
  const draft = {
    ...cells.plain(['name', 'first_name', 'last_name', 'nickname', 'headline', 'description', 'time_zone']),
    ...urlIn(cells, 'avatar_url'),
    ...(day === undefined ? {} : { birthday: readDay(day, cells.style) }),
    ...(emails.length === 0 ? {} : { email_addresses: emails }),
    ...detailsIn(cells),
    ...employmentsIn(cells),
    ...keptIn(cells),
  };
  return { draft, tags: tagsIn(cells) };
}

type Employments = NonNullable<ContactChanges['employments']>;

/**
 * A row has one job at most: one that is there, the title of a job without one, or another job, which comes after the
 * others. Hidden organizations have no name, and stay.
 */
async function employmentsAdded(ctx: CallerContext, before: Contact, [sent]: Employments = []) {
  if (!sent) return undefined;
  const employers = await employersOf(ctx, [before]);
  const [name, title] = [foldName(sent.organization?.name ?? ''), sent.title ?? null];
  const there = before.employments.filter(
    ({ organization }) => name === '' || foldName(employers.get(organization?.id ?? '')?.name ?? '') === name,
  );
  if (there.some((own) => title === null || own.title === title)) return undefined;
  const untitled = name === '' ? undefined : there.find((own) => own.title === null);
  const kept = before.employments.map((own) => {
    const { id: _, organization, ...job } = own === untitled ? { ...own, title } : own;
    const visible = organization && employers.has(organization.id);
    return { ...job, organization: visible ? { id: organization.id } : null };
  });
  return untitled ? kept : [...kept, sent];
}

/** A row changes what it names, and adds to lists. */
async function changesOf(ctx: CallerContext, before: Contact, draft: ContactDraft): Promise<ContactChanges> {
  const { email_addresses, phone_numbers, links, addresses, employments, ...rest } = withoutKeptTexts(
    before,
    draft,
  );
  const emails = added(before.email_addresses, email_addresses, {
    same: (a, b) => a.email_address === b.email_address,
    keep: ({ id: _, ...entry }) => entry,
  });
  const jobs = await employmentsAdded(ctx, before, employments);
  return {
    ...rest,
    ...detailsAdded(before, { phone_numbers, links, addresses }),
    ...(emails ? { email_addresses: emails } : {}),
    ...(jobs ? { employments: jobs } : {}),
  } as ContactChanges;
}

export const contactFamily: Family<Contact, ContactDraft> = {
  type: 'contacts',
  draft: contactDraft,
  external_ids: externalIds,
  tried: true,
  rowOf,
  resolve: (ctx, row) => withTypes(ctx, 'contacts', row),
  turnsOf: ({ email_addresses = [], employments = [] }) => [
    ...email_addresses.map(({ email_address }) => email_address),
    ...employments.flatMap(({ organization }) => organization?.name ?? []).map(foldName),
  ],
  create: (ctx, draft, id) => planContact(ctx, draft, { id, source: 'import' }),
  update: (ctx, id, draft) => planContactUpdateBy(ctx, id, (before) => changesOf(ctx, before, draft)),
};
