"""What tests know without the service: referees, textbook searches and published numbers."""
