import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '#shared/nearest.ts';

const options = ['--port', '--host', '--data', '--in-memory', '--no-demo', '--verbose'];
const parameters = ['user_id', 'group_id', 'snoozed', 'q', 'limit', 'assistantModel'];

describe('the nearest name', () => {
  it.each([
    ['--prot', options, '--port'],
    ['--inmemory', options, '--in-memory'],
    ['--verbsoe', options, '--verbose'],
    ['--nothing', options, undefined],
    ['userId', parameters, 'user_id'],
    ['USER-ID', parameters, 'user_id'],
    ['assistantmodle', parameters, 'assistantModel'],
    ['limt', parameters, 'limit'],
    ['id', parameters, undefined],
    ['x', [], undefined],
  ])('of %s among %j is %s', (name, known, expected) => {
    expect(nearest(name, known)).toBe(expected);
  });

  it('of a known name is that name, and with one letter more as well', () => {
    fc.assert(
      fc.property(fc.constantFrom(...options), fc.constantFrom(...'abcxyz'), fc.nat(), (name, letter, at) => {
        expect(nearest(name, options)).toBe(name);
        const place = 2 + (at % (name.length - 1));
        expect(nearest(name.slice(0, place) + letter + name.slice(place), options)).toBe(name);
      }),
    );
  });
});
