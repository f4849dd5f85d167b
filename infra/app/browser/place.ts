/** Addresses within the page: `#/threads/<id>?slice=unread`. They contain ids and filters, never a key. */

export interface Place {
  /** A name of sections.ts; empty is the front page. */
  section: string;
  id: string | undefined;
  query: Record<string, string>;
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function readPlace(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [section = '', id] = path.split('/');
  return {
    section: decode(section),
    id: id ? decode(id) : undefined,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

export function placeOf({
  section,
  id,
  query,
}: {
  section: string;
  id?: string | undefined;
  query?: Place['query'];
}): string {
  const sent = Object.entries(query ?? {}).filter(([, value]) => value !== '');
  const search = sent.length > 0 ? `?${new URLSearchParams(sent)}` : '';
  return `#/${section}${id ? `/${encodeURIComponent(id)}` : ''}${search}`;
}

/** The section that shows a type of records. */
const SECTIONS: Record<string, string> = {
  thread: 'threads',
  contact: 'contacts',
  organization: 'organizations',
  deal: 'deals',
  task: 'tasks',
  file: 'files',
  calendar_event: 'calendar_events',
  conversation: 'conversations',
  proposal: 'proposals',
};

/** Undefined for types that the page does not show. */
export function placeOfRecord(
  type: string | null | undefined,
  id: string | null | undefined,
): string | undefined {
  const name = type?.toLowerCase() ?? '';
  const section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
  return section && id ? placeOf({ section, id }) : undefined;
}
