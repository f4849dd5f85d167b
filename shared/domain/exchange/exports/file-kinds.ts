/** What the file is served as, and how its name ends. */
export const fileKinds = {
  csv: { content_type: 'text/csv; charset=utf-8', ending: 'csv' },
  ndjson: { content_type: 'application/x-ndjson', ending: 'ndjson' },
  vcard: { content_type: 'text/vcard; charset=utf-8', ending: 'vcf' },
  ics: { content_type: 'text/calendar; charset=utf-8', ending: 'ics' },
} as const;
