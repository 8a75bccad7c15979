/// Replaced by the room's first real file.
