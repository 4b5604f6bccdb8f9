/** Thrown when another request changed a shipment between the read that a decision rests on and its write. */
export class ShipmentChanged extends Error {
  constructor(id: string) {
    super(`Shipment ${id} was changed by another request.`);
    this.name = "ShipmentChanged";
  }
}

/**
 * Reads a shipment, decides and writes, and does so again each time that it was changed in between: the refusal
 * or the response is of what it is then. It ends, because the others' changes are committed.
 */
export async function decidedAnew<T>(decide: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof ShipmentChanged)) throw error;
    }
  }
}
