import type { CalendarFiles, FileVersion } from '#shared/domain/calendar/servers/file.ts';
import type {
  CalendarServer,
  ReadResource,
  ServerChanges,
  ServerLogin,
} from '#shared/domain/calendar/servers/server.ts';
import { FileEvents } from './file-events.ts';

/** What tells the changes of one calendar. */
export interface Source {
  changes(token: string | null, signal: AbortSignal): Promise<ServerChanges>;
  read(urls: string[], signal: AbortSignal): Promise<ReadResource[]>;
}

export const atServerOf = (server: CalendarServer, login: ServerLogin, calendar: string): Source => ({
  changes: (token, signal) => server.changes(login, calendar, token, signal),
  read: (urls, signal) => server.read(login, calendar, urls, signal),
});

const tokenOf = (version: FileVersion) =>
  version.etag === null && version.modified === null ? null : JSON.stringify(version);

/** A file is read whole, unless its server says that it is the same. */
export function fileAt(files: CalendarFiles, url: string): Source {
  let events = new FileEvents('');
  let etags = new Map<string, string | null>();
  return {
    async changes(token, signal) {
      const known = token === null ? null : (JSON.parse(token) as FileVersion);
      const file = await files.read(url, known, signal);
      if (!file) return { changed: [], removed: [], full: false, token, more: false };
      events = new FileEvents(file.text);
      const changed = events.resources();
      etags = new Map(changed.map((each) => [each.url, each.etag]));
      const token_now = tokenOf(file.version);
      return { changed, removed: [], full: true, token: token_now, more: false };
    },
    async read(urls) {
      return urls.flatMap((each) => {
        const text = events.textOf(each);
        return text === undefined ? [] : [{ url: each, etag: etags.get(each) ?? null, text }];
      });
    },
  };
}
