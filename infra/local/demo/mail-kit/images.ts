import type { InlineImage } from './draft.ts';

function png(...lines: string[]): Buffer {
  return Buffer.from(lines.join(''), 'base64');
}

/** The housing on a machine, with the magnet between two clips. */
export const housingWithClips: InlineImage = {
  cid: 'housing-clips@acme.example',
  filename: 'housing-clips.png',
  alt: 'Cross-section of the housing, clips at the top',
  width: 160,
  png: png(
    'iVBORw0KGgoAAAANSUhEUgAAAKAAAABkAgMAAAB82NMcAAAADFBMVEX///8mMkYAeofwoDweFCh1AAABUklEQVR42u2UQWrD',
    'MBBFB3U3G696CV3C2eQAhc6mm17F0IsIulHmFKEn8qa7gurYpI0132FKDU3BH4ET+Un6+iOZaNOmTTeozkWxDspOzkGeuMwO',
    'UjWdHkH1utE4cSN5jQvfK/J5yMKE+PdMTT84TJezd2MfAnk2ScwYbI8U09ww3X1AMFSRaIJgIa5CHv4XCMZUh4XAYRVTDO0G',
    '4xYMprycANj0bEoRMsin6aM9BgrA9ghKFl9sPu0bOIH8asHC4LSEXACITioAKSJQnX1odIC3CRh3gwyvCBjO+Hpm36bRFuPC',
    'vfSlgxZa+NYY69P2ZKYdCsMPjh1PeqHD7qvf5G1nNIlPpi1I2VeYX4BxCVRfBe2LH4PVnlcA1/e4Hqh1oSfBSmAQ6LkYvW+g',
    'N0dx6k/Be3E1kr24GsmDuBrJo7gaidMkidMkidMkidPk/6j17YOfs9ok4NSwOLcAAAAASUVORK5CYII=',
  ),
};

/** The same housing with the clips moved down. */
export const housingWithFeet: InlineImage = {
  cid: 'housing-feet@ashdown.example',
  filename: 'housing-feet.png',
  alt: 'Cross-section of the housing, clips at the foot',
  width: 160,
  png: png(
    'iVBORw0KGgoAAAANSUhEUgAAAKAAAABkAgMAAAB82NMcAAAADFBMVEX///8mMkYAeofwoDweFCh1AAABJ0lEQVR42u2TPW7D',
    'MAyFCWfT0qmX8JIreOkBCpRLllzFR/Go8HRZuhX9sY20tvmovKGoXcAPApIQn8T3KEVk165dG1RLUcm+lEmOIHsuJ4I06/qP',
    'yqxstB65gSxx1U/HdNsSHIi/e4fd9PS2EHl2fBy87uaG4yhtaGTeOZd/B50LvV3MIHflOiVs0pcrbLL2jbBJo/biPtAkKkKT',
    'CbXJQvoxsoZ245kB4zSIrwtsT/gBZC40ilgHb5S8f9AoePbO+hhPZ2rQMHhwKJxsokvzXXfz9ie6iY+mPSiZuxgPPlwxd3hb',
    'FI4R+P5n4CLzL4ArhrkL2vKiR8H/EgaBzh9OrzvIzlFJrQo+KrVEn5Raos9KLdEXpZYoaVKUNClKmhQlTf6Pu94++AmIjRj0',
    'Xfxw+AAAAABJRU5ErkJggg==',
  ),
};

/** A quiet line with one loud stretch in it. */
export const vibrationChart: InlineImage = {
  cid: 'vibration@acme.example',
  filename: 'vibration.png',
  alt: 'Vibration over time, with a burst after two thirds',
  width: 160,
  png: png(
    'iVBORw0KGgoAAAANSUhEUgAAAKAAAABQAgMAAADjM5anAAAADFBMVEX///8mMkYAeofwoDweFCh1AAAA/0lEQVR42u3VUQ7C',
    'IAwA0AbiT0PiFfxc9sUNvITeZ0fhc+EUHGlHkLaCM85YDck+pEuWAG+DFqYAPRrFocNf4FELz1rok3aNqXUyybeG++2MBdcY',
    '7piMy6tsC/f9uNIGHGe6Y6S7idMD4vwMI5ORCcZAn4yMxvKUQDMZagcgMuSrQBNMqDATJJQ5k0BNEIvAXQIDNwbuReZmKlB6',
    '73Dg18mzmdBAzUDmOQlEwKmuZuapynSrlWdoJGXJb4yh1sbhqhaUtYxJxaSI9g5X1d3eGTk4dlFuoQYm7aFIVnt6tNBDa/jy',
    'M/EOOjXUTm29Fi7aZFL/Y/9reP0Yl+9gjwZxAzUCS4OrOFOrAAAAAElFTkSuQmCC',
  ),
};

export const ferryLogo: InlineImage = {
  cid: 'image001.png@01DC4A2B.7F3E1C90',
  filename: 'image001.png',
  alt: 'Bellwether Ferries',
  width: 24,
  png: png(
    'iVBORw0KGgoAAAANSUhEUgAAABgAAAAYAgMAAACdGdVrAAAADFBMVEX///8mMkYAeofwoDweFCh1AAAAY0lEQVR42jXOsQ2A',
    'MAwEwA9SmvQegYYpGIGCR4gJMkZGoUEKmRIbJ9+c9LZkAz2BXJVIbgo1f2dtJ1JsKNSdXQkOOuJEJzjgCTnaw4z5ai8rlqap',
    'SMaNySgDGHo92QjWlvHeB1TxKV0IG49YAAAAAElFTkSuQmCC',
  ),
};

export const trackingPixel: InlineImage = {
  cid: 'pixel@torqueletter.example',
  filename: 'pixel.png',
  alt: '',
  width: 1,
  png: png(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQMAAAAl21bKAAAAA1BMVEX///+nxBvIAAAACklEQVR42mNgAAAAAgAB5Sfe/AAA',
    'AABJRU5ErkJggg==',
  ),
};
