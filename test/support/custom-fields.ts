import { randomUUID } from 'node:crypto';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import type {
  CustomField,
  CustomFieldChanges,
  CustomFieldRecord,
  DefinedType,
} from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { readFieldSet } from '#shared/domain/collaboration/custom-fields/store.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import type { Table } from '#shared/table/table.ts';
import { openJobs } from './jobs.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Definitions of custom fields, and records with them. */

type Defined = Partial<Omit<CustomFieldRecord, 'options' | 'type' | 'record_type'>> & {
  record_type?: DefinedType;
  type?: CustomFieldRecord['type'];
  options?: { value: string; name?: string }[];
};

/** A text of contacts unless `fields` say otherwise. */
export async function givenField({ api }: TestUser, key: string, fields: Defined = {}) {
  const custom_field = { record_type: 'contacts' as const, name: key, type: 'text' as const, ...fields, key };
  return (await api.createCustomField({ body: { custom_field } as never })).body.custom_field;
}

/** Copies of the first field of contacts up to a number, as they would be stored: 10 indexed ones, 5 of them unique. */
export async function givenCopies(
  table: Table,
  account_id: string,
  { from, to }: { from: number; to: number },
) {
  const set = await readFieldSet(table, account_id, 'contacts');
  const copies = Array.from({ length: to - from }, (_, i) => ({
    ...(set.fields[0] as CustomField),
    ...{ id: randomUUID(), key: `f${from + i}`, indexed: from + i < 10, unique: from + i < 5 },
  }));
  await table.put({ ...set, fields: [...set.fields, ...copies] });
}

export const options = (...values: string[]) => values.map((value) => ({ value }));

export async function changeField({ api }: TestUser, id: string, custom_field: CustomFieldChanges) {
  return (await api.updateCustomField({ params: { id }, body: { custom_field } as never })).body.custom_field;
}

/** The jobs that bring all records of an account to its definitions. */
export async function bringing({ table }: Workspace, account_id: string) {
  const jobs = await openJobs(table, 'index-records');
  return jobs.filter(({ body }) => 'all_of' in body && body.account_id === account_id);
}

/** Runs them, as the sweep does after a minute. */
export async function bringAll(workspace: Workspace, { user }: TestUser): Promise<void> {
  for (const { id } of await bringing(workspace, user.account_id))
    await runIndexing(workspace.ctx, listsOfRecords, id, () => false);
}

/** Creates and changes records of each type in the same way. */
export const keepers = {
  contacts: {
    create: async ({ api }: TestUser, fields: object) =>
      (await api.createContact({ body: { contact: { name: 'Somebody', ...fields } } as never })).body.contact,
    update: async ({ api }: TestUser, id: string, fields: object) =>
      (await api.updateContact({ params: { id }, body: { contact: fields } as never })).body.contact,
    upsert: async ({ api }: TestUser, fields: object) => {
      const body = { contact: { name: 'Somebody', ...fields } } as never;
      return (await api.createContact({ query: { upsert: 'external_id' }, body })).body.contact;
    },
    list: async ({ reader }: TestUser, query: object) =>
      (await reader.listContacts({ query: query as never })).body.collection,
    count: async ({ reader }: TestUser, query: object) =>
      (await reader.countContacts({ query: query as never })).body.count,
    remove: ({ api }: TestUser, id: string) => api.deleteContact({ params: { id } }),
  },
  organizations: {
    create: async ({ api }: TestUser, fields: object) =>
      (await api.createOrganization({ body: { organization: { name: 'Something', ...fields } } as never }))
        .body.organization,
    update: async ({ api }: TestUser, id: string, fields: object) =>
      (await api.updateOrganization({ params: { id }, body: { organization: fields } as never })).body
        .organization,
    upsert: async ({ api }: TestUser, fields: object) => {
      const body = { organization: { name: 'Something', ...fields } } as never;
      return (await api.createOrganization({ query: { upsert: 'external_id' }, body })).body.organization;
    },
    list: async ({ reader }: TestUser, query: object) =>
      (await reader.listOrganizations({ query: query as never })).body.collection,
    count: async ({ reader }: TestUser, query: object) =>
      (await reader.countOrganizations({ query: query as never })).body.count,
    remove: ({ api }: TestUser, id: string) => api.deleteOrganization({ params: { id } }),
  },
  deals: {
    create: async ({ api }: TestUser, fields: object) =>
      (await api.createDeal({ body: { deal: { name: 'Something', ...fields } } as never })).body.deal,
    update: async ({ api }: TestUser, id: string, fields: object) =>
      (await api.updateDeal({ params: { id }, body: { deal: fields } as never })).body.deal,
    upsert: async ({ api }: TestUser, fields: object) => {
      const body = { deal: { name: 'Something', ...fields } } as never;
      return (await api.createDeal({ query: { upsert: 'external_id' }, body })).body.deal;
    },
    list: async ({ reader }: TestUser, query: object) =>
      (await reader.listDeals({ query: query as never })).body.collection,
    count: async ({ reader }: TestUser, query: object) =>
      (await reader.countDeals({ query: query as never })).body.count,
    remove: ({ api }: TestUser, id: string) => api.deleteDeal({ params: { id } }),
  },
};
