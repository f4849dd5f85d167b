import ICAL from 'ical.js';
import { invalidField } from '#shared/errors.ts';

/** The properties of an event in a file (RFC 5545, 3.6.1). */

export interface Property {
  name: string;
  parameters: Record<string, string>;
  type: string;
  /** Text, or parts of it; a rule has an object. */
  values: unknown[];
}

export type VEvent = ReadonlyMap<string, Property[]>;

type Jcal = [string, [string, Record<string, string | string[]>, string, ...unknown[]][]];

/** 400 for what is no event. */
export function readVEvent(text: string): VEvent {
  try {
    const [, properties] = ICAL.parse(text) as Jcal;
    const all = properties.map(([name, parameters, type, ...values]): Property => {
      const named = Object.entries(parameters).map(([each, value]) => [each, [value].flat().join(',')]);
      return { name, parameters: Object.fromEntries(named), type, values };
    });
    return Map.groupBy(all, ({ name }) => name);
  } catch (error) {
    throw invalidField('row', 'invalid_format', `is not an event: ${(error as Error).message.slice(0, 200)}`);
  }
}

export const every = (event: VEvent, name: string): Property[] => event.get(name) ?? [];

export const one = (event: VEvent, name: string): Property | undefined => every(event, name)[0];

export const textIn = (property: Property | undefined): string => `${property?.values[0] ?? ''}`.trim();

export const textOf = (event: VEvent, name: string): string => textIn(one(event, name));
