import { stringify } from 'csv-stringify/sync';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import type { ImportableType } from '#shared/domain/exchange/records/fields.ts';
import { escaped, inOneCell } from '#shared/domain/exchange/records/written-values.ts';
import { mainJob } from './main-job.ts';
import type { Shown } from './sources.ts';

/** Rows of a CSV file, whose columns imports know by their names. */

/** Calendar events have a format of their own. */
export type TableType = Exclude<ImportableType, 'calendar_events'>;

type Cell = string | number | boolean | null;
type Column = [name: string, cell: (record: Shown) => Cell];

const plain = (...names: string[]): Column[] =>
  names.map((name) => [name, (record) => (record[name] ?? null) as Cell]);

/** Several values in one cell. */
const joined = (name: string, field: string, part: string): Column => [
  name,
  (record) => inOneCell(((record[field] ?? []) as Record<string, string>[]).map((each) => each[part] ?? '')),
];

const ids = (name: string): Column => [name, (record) => ((record[name] ?? []) as string[]).join('; ')];

const nameIn = (name: string, field = name): Column => [
  name,
  (record) => (record[field] as { name: string } | null)?.name ?? null,
];

const address: Column[] = ['street', 'city', 'region', 'postal_code', 'country'].map((part) => [
  part,
  ({ addresses }) => (addresses as Record<string, string>[])[0]?.[part] ?? null,
]);

const details: Column[] = [
  joined('phone_numbers', 'phone_numbers', 'phone_number'),
  joined('links', 'links', 'url'),
  ...address,
];

const custom: Column = [
  'custom_fields',
  ({ custom_fields }) => {
    const text = JSON.stringify(custom_fields);
    return text === '{}' ? null : text;
  },
];

const common: Column[] = [
  joined('tags', 'tags', 'name'),
  ...plain('visibility', 'external_id'),
  custom,
  ...plain('created_at', 'updated_at'),
];

const job = (record: Shown) => mainJob(record as unknown as ContactRecord);

const columns: Record<TableType, Column[]> = {
  contacts: [
    ...plain('id', 'name', 'first_name', 'last_name', 'nickname', 'headline', 'description', 'avatar_url'),
    joined('email_addresses', 'email_addresses', 'email_address'),
    ...details,
    ['organization', (record) => job(record)?.organization?.name ?? null],
    ['title', (record) => job(record)?.title ?? null],
    ...plain('birthday', 'time_zone'),
    ...common,
  ],
  organizations: [
    ...plain('id', 'name'),
    ids('domains'),
    ...plain('description', 'industry', 'website_url', 'logo_url', 'employee_count'),
    ...details,
    ...common,
  ],
  deals: [
    ...plain('id', 'name', 'pipeline_id', 'stage_id'),
    nameIn('stage_name', 'stage'),
    ...plain(
      'status',
      'amount',
      'currency',
      'probability',
      'expected_close_on',
      'lost_reason',
      'description',
    ),
    ...plain('assigned_user_id', 'organization_id'),
    nameIn('organization_name', 'organization'),
    ids('contact_ids'),
    ...common,
  ],
  tasks: [
    ...plain('id', 'name', 'description', 'status', 'due_at', 'all_day', 'priority', 'assigned_user_id'),
    ids('contact_ids'),
    ids('organization_ids'),
    ...plain('deal_id', 'space_id', 'milestone_id', 'completed_at', 'visibility', 'external_id'),
    ...plain('created_at', 'updated_at'),
  ],
};

/** A custom field as a column of its own. */
const customColumn = (key: string): Column => [
  `custom_fields.${key}`,
  ({ custom_fields }) => {
    const values = custom_fields as Record<string, Cell | string[]>;
    const value = Object.hasOwn(values, key) ? values[key] : null;
    return Array.isArray(value) ? inOneCell(value) : (value ?? null);
  },
];

/** With a column for each of these custom fields, behind all others. */
const columnsOf = (type: TableType, keys: string[]): Column[] => [
  ...columns[type],
  ...keys.map(customColumn),
];

const line = (cells: Cell[][]) =>
  stringify(cells, {
    record_delimiter: 'windows',
    // Some programs end rows at any of them.
    quoted_match: /[\r\n]/,
    cast: { string: escaped, boolean: String, number: String },
  });

/** With the mark by which spreadsheets know UTF-8. */
export const csvHeader = (type: TableType, keys: string[]): string =>
  `\ufeff${line([columnsOf(type, keys).map(([name]) => name)])}`;

export const csvRows = (type: TableType, keys: string[], records: Shown[]): string =>
  line(records.map((record) => columnsOf(type, keys).map(([, cell]) => cell(record))));
