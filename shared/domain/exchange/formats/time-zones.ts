import { isTimeZone } from '#shared/time-zone.ts';
import { windowsZones } from './windows-zones.ts';

/** A name without slashes, such as `CET`, or the end of a path: `/mozilla.org/20050126_1/Europe/Berlin`. */
function endOf(name: string): string | undefined {
  const parts = name.split('/').filter(Boolean);
  const ends = [3, 2].map((count) => parts.slice(-count)).filter(({ length }) => length > 1);
  return ends.map((end) => end.join('/')).find(isTimeZone);
}

/** The time zone of IANA that a name means: its own, the end of a path, or one of Windows. */
export function zoneOf(name: string): string | undefined {
  const plain = name.replaceAll('"', '').trim();
  if (isTimeZone(plain)) return plain;
  return windowsZones.get(plain.toLowerCase()) ?? endOf(plain);
}
