import { requiredText, uuid } from '#shared/values.ts';
import { readFile } from './read-file.ts';
import type { RecordTools } from './record-tools.ts';
import { searchFiles } from './search-files.ts';
import { tool } from './tool.ts';

const fileSearch = {
  query: requiredText(500).optional().meta({ description: 'Beginnings of words of the name' }),
  extension: requiredText(20).optional().meta({ description: 'As in "pdf"' }),
  contact_id: uuid.optional(),
  organization_id: uuid.optional(),
  deal_id: uuid.optional(),
  thread_id: uuid.optional(),
  calendar_event_id: uuid.optional(),
};

export const fileTools: RecordTools = {
  reading: 'a file with its names, sizes and links, but not its content',
  read: readFile,
  own: (context) => ({
    search_files: tool(
      'search_files',
      'Find files, the newest first. All conditions must hold.',
      fileSearch,
      (filters) => searchFiles(context, filters),
    ),
  }),
};
