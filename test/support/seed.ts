import fc from 'fast-check';

/** `SEED` makes random tests repeatable; a failure names its seed. */
if (process.env.SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED) });
