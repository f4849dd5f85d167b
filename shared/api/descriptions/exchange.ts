import type { Descriptions } from './descriptions.ts';

/** Records from files and into files (docs/specification/imports.md). */
export const exchange: Descriptions = {
  Import: {
    is: 'Records from a file: a dry run first, unless the request says otherwise.',
    fields: {
      user_id: 'Who made it: nobody else sees it.',
      upload_id: 'The upload with the file, which the import uses up.',
      file_name: 'The name of the uploaded file.',
      record_type: 'What each row becomes.',
      format:
        '`csv`: values that a delimiter separates, with the names of the columns in the first line. `vcard`: cards of version 3 or 4. `ics`: calendar events of iCalendar, each VEVENT a row.',
      encoding: 'The character encoding, by the content.',
      delimiter: 'What separates the values, by the content; null for vCards and calendars.',
      date_order:
        'The order of day and month in dates with slashes: `dmy` or `mdy`. Null when the beginning of the file does not tell it: dates of which both orders make sense are then refused.',
      pipeline_id: 'The pipeline of deals whose rows name none; null for the default one.',
      calendar_id: 'The calendar in which the events are made; null for other types.',
      dry_run: 'True: rows are read and checked, and nothing is stored.',
      status: '`pending`, `running`, then `complete` or `failed`: see `error`.',
      columns: 'The columns of a CSV file, in their order; none for vCards and calendars.',
      percent: 'How much of the file has been read.',
      rows_read: 'Rows that have been read, without empty ones: the sum of the other counts.',
      rows_created: 'Rows that made a record, or would make one.',
      rows_updated: 'Rows that changed the record with their external id, or the event with their UID.',
      rows_unchanged: 'Rows whose record has all that they say.',
      rows_failed: 'Rows that were refused: `GET /imports/{import_id}/rows?failed=true` lists them.',
      error:
        'Why the import as a whole ended early: `quote_not_closed`, `upload_expired`, `user_inactive` or `import_failed`. Rows before that count.',
      started_at: 'When its first row was read.',
      finished_at: 'When it ended.',
      updated_at: 'When it started or ended; null before that.',
    },
  },
  ImportColumn: {
    is: 'A column of a CSV file.',
    fields: {
      name: 'Its name in the first line; `Column 3` without one, and `Phone (2)` for the second of that name.',
      field:
        'The field that it is, with a label where the field takes one, such as `phone_numbers.work` or `custom_fields.Region`; null for a column that is left out.',
      examples: 'Some of its first values.',
    },
  },
  ImportError: {
    is: 'Why an import as a whole ended early.',
    fields: { code: 'The reason.', message: 'What happened, for people.' },
  },
  ImportDraft: {
    is: 'An import to create.',
    fields: {
      format: 'By the content of the file, when it is not sent.',
      calendar_id: 'Required for `calendar_events`: a calendar in which the user may create events.',
      mapping:
        'By the name of a column, the field that it is, or null to leave it out. Columns that are not named are what they probably are.',
      dry_run: 'False stores the records at once.',
    },
  },
  ImportEdit: {
    is: 'What changes before an import is applied.',
    fields: {
      mapping: 'As in the request that created it; columns that are not named stay.',
      date_order: 'The order of day and month in dates with slashes.',
    },
  },
  ImportRow: {
    is: 'What a row of a file became.',
    fields: {
      number: 'Its place in the file, from 1, without the line with the names of the columns.',
      status: '`created`, `updated`, `unchanged` or `failed`.',
      record_id: 'The record; null for a row that failed, or that a dry run would make a record.',
      error:
        'What is wrong with it, as the operation that creates such a record would respond; null otherwise.',
    },
  },
  ImportRowError: {
    is: 'What is wrong with a row.',
    fields: {
      code: 'A code of the error catalogue.',
      message: 'What happened, for people.',
      fields: 'By the names of the fields, the first problem of each: ten at most.',
    },
  },
  ImportRowErrorField: {
    is: 'What is wrong with a field.',
    fields: { code: 'The kind of the problem.', message: 'What is wrong, for people.' },
  },
  Export: {
    is: 'Records in a file, as their user saw them.',
    fields: {
      user_id: 'Who made it: nobody else sees it.',
      record_type: 'What the file has.',
      format:
        '`csv`: a table for spreadsheets, whose columns imports know. `ndjson`: a JSON object in each line, as lists have them. `vcard`: cards of version 4, of contacts. `ics`: iCalendar, of calendar events, which have no other format.',
      filters: 'Parameters of the query of the list, which leave records out.',
      status: '`pending`, `running`, then `complete` or `failed`: see `error`.',
      records_written: 'Records in the file so far.',
      file_name: 'The name under which browsers save the file.',
      size: 'Bytes of the file; null until it is complete.',
      url: 'Gives the file, without a key, until `url_expires_at`; null in lists, before the export is complete, and after `expires_at`. It is a secret: do not store it.',
      url_expires_at:
        'When the link stops working: after five minutes. Retrieve the export again for another one.',
      error: 'Why it failed: `user_inactive`, `filters_gone` or `export_failed`.',
      finished_at: 'When it ended.',
      expires_at: 'When the file is deleted: after seven days.',
      updated_at: 'When it ended; null before that.',
    },
  },
  ExportError: {
    is: 'Why an export failed.',
    fields: { code: 'The reason.', message: 'What happened, for people.' },
  },
  ExportDraft: { is: 'An export to create.' },
  ExportResponse: { is: 'The export.', fields: { export: 'The export, as it is now.' } },
  ImportResponse: { is: 'The import.', fields: { import: 'The import, as it is now.' } },
};
