import { describe, expect, it } from 'vitest';
import { joined, parted, united } from '#shared/domain/collaboration/records/came-by.ts';

describe('ways that an item came by', () => {
  const [came, later] = [joined(undefined, {}, ['x']), joined(undefined, {}, ['y'])];

  it('of two that become one under a record are both, and each keeps what it said', () => {
    expect(united({}, came, 'theirs')).toEqual({ came_by: ['', 'x'], aside: { x: 'theirs' } });
    const both = united(later, came, 'first');
    expect(both).toEqual({ came_by: ['y', 'x'], aside: { x: 'first' } });
    // The last merge is taken back first: it takes what was shown, and the other is shown.
    expect(parted(both, 'y')).toEqual({
      stays: { came_by: ['x'] },
      left: 'first',
      back: {},
      said: undefined,
    });
    expect(parted(both, 'x')).toEqual({
      stays: { came_by: ['y'] },
      left: undefined,
      back: {},
      said: 'first',
    });
  });

  it('are said once when both came the same way', () => {
    expect(united({}, {}, 'other')).toEqual({});
    expect(united(came, came, 'other')).toEqual({ came_by: ['x'] });
    const several = joined({}, {}, ['y'], 'third');
    expect(united({}, several, 'other')).toEqual({ came_by: ['', 'y'], aside: { y: 'third' } });
  });
});
