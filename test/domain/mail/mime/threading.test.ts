import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseSubject, isForwardSubject } from '#shared/domain/mail/mime/threading.ts';

describe('baseSubject', () => {
  it.each([
    'Plan for Monday',
    'Re: Plan for Monday',
    'RE: re: Fwd: plan for  monday',
    'Re[2]: Plan for Monday',
    'Re (3): Plan for Monday',
    'Re : Plan for Monday',
    'Re: [team] Plan for Monday',
    '[team] Re: Plan for Monday',
    '[team] [x] Plan for Monday',
    'Re [blob]: Plan for Monday',
    'Plan for Monday (fwd)',
    'Re: Plan for Monday (fwd) (FWD) ',
    '[Fwd: Plan for Monday]',
    'Re: [fwd: Re: Plan for Monday (fwd)]',
    '\tPlan\r\n for Monday',
    'AW: Plan for Monday',
    'WG: AW: Plan for Monday',
    'Antw: Plan for Monday',
    'SV: VS: Plan for Monday',
    'Odp: Plan for Monday',
    'TR: RE: Plan for Monday',
    'RV: Plan for Monday',
    'R: I: Plan for Monday',
    'RES: ENC: Plan for Monday',
    'Ynt: İlt: Plan for Monday',
    'Vá: Plan for Monday',
    'ΑΠ: ΠΡΘ: Plan for Monday',
    'Отв: Plan for Monday',
    '回复：Plan for Monday',
    '回复: 转发: Plan for Monday',
    '答复：Plan for Monday',
    '轉寄： Plan for Monday',
    'Ｒｅ： Plan for Monday',
  ])('of %j', (subject) => {
    expect(baseSubject(subject)).toBe('plan for monday');
  });

  it.each([
    [null, ''],
    ['', ''],
    ['Re:', ''],
    ['Re: Re:', ''],
    ['[blob]', '[blob]'],
    ['Re: [blob]', '[blob]'],
    ['Regarding: x', 'regarding: x'],
    ['Rex: y', 'rex: y'],
    ['Plan: Re: x', 'plan: re: x'],
    ['[open bracket', '[open bracket'],
    ['a [blob] b', 'a [blob] b'],
    ['(fwd)', ''],
  ])('of %j is %j', (subject, base) => {
    expect(baseSubject(subject)).toBe(base);
  });

  it('stays the same when taken again, and whatever prefix is put before it', () => {
    const piece = fc.oneof(
      fc.constantFrom('Re: ', 'Fwd: ', '[x] ', '[', ']', '(fwd)', '[fwd: ', ' ', ':', 'AW:', '回复：'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const base = baseSubject(pieces.join(''));
        expect(baseSubject(base)).toBe(base);
        expect(baseSubject(`Re: ${pieces.join('')}`)).toBe(base);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['Re: ', '[a]', '[fwd: ', '(fwd)', '[', ' ', 'Re[', '[a] Re: '])(
    'reads long runs of %j',
    (unit) => {
      expect(baseSubject(unit.repeat(100_000)).length).toBeLessThanOrEqual(1000);
    },
  );
});

describe('isForwardSubject', () => {
  it.each([
    ['Fwd: x', true],
    ['FW: RE: x', true],
    ['[list] Fwd: x', true],
    ['WG: x', true],
    ['TR: x', true],
    ['转发：x', true],
    ['RE: FW: x', false],
    ['Forward: x', false],
    ['x', false],
    [null, false],
  ])('of %j is %s', (subject, forward) => {
    expect(isForwardSubject(subject)).toBe(forward);
  });
});
