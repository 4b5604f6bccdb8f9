/**
 * Loaded before a process of the platform (`node --import`): its clock is off by WAYBILL_TEST_CLOCK_SECONDS,
 * as on a host without time synchronisation.
 */
const offMs = Number(process.env["WAYBILL_TEST_CLOCK_SECONDS"] ?? 0) * 1000;
const TrueDate = Date;

globalThis.Date = class extends TrueDate {
  constructor(...given: [] | ConstructorParameters<typeof TrueDate>) {
    if (given.length === 0) super(TrueDate.now() + offMs);
    else super(...given);
  }
  static override now = () => TrueDate.now() + offMs;
} as DateConstructor;
